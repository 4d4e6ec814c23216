/** What runs write down so that a later run can undo what a killed one left behind. */
import type { Fields } from '../../outcome/read.js';

/** A profile before a run changed it, and what the run put into it: enough for another run to restore it. */
export interface ProfileEntry {
  readonly baseUrl: string;
  readonly profile: string;
  /** When the run began, in ISO 8601. */
  readonly startedAt: string;
  /** The settings as they were, without the values of cookies and credentials. */
  readonly original: Fields;
  /** Fields that were in updates of the run. */
  readonly touched: readonly string[];
  /** Names of cookies and credentials that updates of the run added. */
  readonly added: Readonly<Record<List, readonly string[]>>;
  /** How many attempts to restore it failed. */
  readonly tries: number;
}

/** A copy whose run ended before it could mark it as its own and take out cookies and credentials. */
export interface UncleanedCopy {
  readonly id: string;
  /** Its description when it was made. Another one shows that somebody uses the copy now. */
  readonly description: string;
  /** Prefixes of the descriptions that the run has given it since, or may have. */
  readonly since?: readonly string[];
}

/** The copies that runs made of a profile. */
export interface CopiesEntry {
  readonly baseUrl: string;
  readonly profile: string;
  /** The latest first. */
  readonly copies: readonly string[];
  readonly untidied: readonly UncleanedCopy[];
}

export type List = 'cookies' | 'credentials';

export interface Journal {
  /** Profiles that ended runs left changed on this service. */
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
