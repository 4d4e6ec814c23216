import type { Fields } from '../../evidence/read.js';

/** What a profile was before a run changed it, and what the run put into it: enough for another run to put it back. */
export interface ProfileEntry {
  readonly baseUrl: string;
  readonly profile: string;
  /** When the run began, in ISO 8601. */
  readonly startedAt: string;
  /** The settings as they were. Of cookies and credentials no values are kept. */
  readonly original: Fields;
  /** Fields that updates of the run named. */
  readonly touched: readonly string[];
  /** Names of cookies and credentials that updates of the run added. */
  readonly added: Readonly<Record<List, readonly string[]>>;
  /** How often it was tried in vain to put it back. */
  readonly tries: number;
}

export type List = 'cookies' | 'credentials';

/** What runs remember from one to the next, so that nothing is left changed even by a run that was killed. */
export interface Journal {
  /** What ended runs left changed on this service. */
  profiles(baseUrl: string): Promise<readonly ProfileEntry[]>;
  writeProfile(entry: ProfileEntry): Promise<void>;
  forgetProfile(baseUrl: string, profile: string): Promise<void>;
  /** Ids of the copies that runs made of this profile, the latest first. */
  copies(baseUrl: string, profile: string): Promise<readonly string[]>;
  writeCopies(baseUrl: string, profile: string, copies: readonly string[]): Promise<void>;
}

/** Remembers nothing. */
export const noJournal: Journal = {
  profiles: async () => [],
  writeProfile: async () => {},
  forgetProfile: async () => {},
  copies: async () => [],
  writeCopies: async () => {},
};
