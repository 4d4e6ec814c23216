declare module 'postject' {
  /** Puts a resource into an executable file, in its place. */
  export function inject(
    file: string,
    name: string,
    content: Buffer,
    options?: { sentinelFuse?: string; machoSegmentName?: string; overwrite?: boolean },
  ): Promise<void>;
}
