/** A recording that cannot be read: what is wrong, and where. Meant for the user. */
export class RecordingError extends Error {
  override name = 'RecordingError';
  /** conformance.md: usage or configuration. */
  readonly exitCode = 2;
}
