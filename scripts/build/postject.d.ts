declare module 'postject' {
  /** Injects a resource into an executable file, in place. */
  export function inject(
    file: string,
    name: string,
    content: Buffer,
    options?: { sentinelFuse?: string; machoSegmentName?: string; overwrite?: boolean },
  ): Promise<void>;
}
