import type { Fields } from '../../outcome/read.js';

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

/** A copy whose run did not come to say what it is, and to take cookies and credentials out of it. */
export interface UntidiedCopy {
  readonly id: string;
  /** As it was made: whoever has taken it into use since has described it otherwise. */
  readonly description: string;
  /** The beginnings of what the run described it as since, or may have. */
  readonly since?: readonly string[];
}

/** The copies that runs made of a profile. */
export interface CopiesEntry {
  readonly baseUrl: string;
  readonly profile: string;
  /** Their ids, the latest first. */
  readonly copies: readonly string[];
  readonly untidied: readonly UntidiedCopy[];
}

export type List = 'cookies' | 'credentials';

/** What runs remember from one to the next, so that nothing is left changed even by a run that was killed. */
export interface Journal {
  /** What ended runs left changed on this service. */
  profiles(baseUrl: string): Promise<readonly ProfileEntry[]>;
  writeProfile(entry: ProfileEntry): Promise<void>;
  forgetProfile(baseUrl: string, profile: string): Promise<void>;
  /** The copies that runs made on this service. */
  copies(baseUrl: string): Promise<readonly CopiesEntry[]>;
  writeCopies(entry: CopiesEntry): Promise<void>;
}

/** Remembers nothing. */
export const noJournal: Journal = {
  profiles: async () => [],
  writeProfile: async () => {},
  forgetProfile: async () => {},
  copies: async () => [],
  writeCopies: async () => {},
};
