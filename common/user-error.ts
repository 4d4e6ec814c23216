/** A mistake of the user, in options, arguments or files. The message is one line: what is wrong, and what to do. */
export class UserError extends Error {
  /** The exit code for usage or configuration. */
  readonly exitCode = 2;
}
