import type { OnViolation } from '../recording/judging.js';
import type { RecordedRun } from '../recording/recorded-run.js';
import type { Passed, PassedMessage } from './passed.js';

export type Violation = Parameters<OnViolation>[0];

type Bodiless<Message extends PassedMessage> = Omit<Message, 'body'> & {
  /** How many bytes; undefined where the body was larger than what is kept. */
  readonly bytes?: number | undefined;
};

/** An exchange without its bodies. */
type Frame = Omit<Passed, 'request' | 'response'> & {
  readonly request: Bodiless<Passed['request']>;
  readonly response?: Bodiless<NonNullable<Passed['response']>>;
};

/** Exchanges for another thread. As objects they would take longer to hand over than to pass on. */
export interface Load {
  /** As JSON. */
  readonly frames: string;
  /** One after the other. */
  readonly bodies: Uint8Array;
}

export type ToWorker =
  | { readonly kind: 'passed'; readonly load: Load; readonly bytes: number }
  | { readonly kind: 'leave-out'; readonly history: string; readonly baseUrl: string }
  | { readonly kind: 'finish' };

export type ToMain =
  | { readonly kind: 'taken'; readonly bytes: number }
  | { readonly kind: 'violation'; readonly violation: Violation }
  /** The record ends before the traffic does. */
  | { readonly kind: 'unwritable'; readonly error: { readonly code?: string; readonly message: string } }
  | { readonly kind: 'run'; readonly run: RecordedRun };

export function loaded(passed: readonly Passed[]): Load {
  const bodies = passed.flatMap(({ request, response }) => [request.body ?? [], response?.body ?? []].flat());
  const frame = <Message extends PassedMessage>({ body, ...rest }: Message): Bodiless<Message> => ({
    ...rest,
    bytes: body?.length,
  });
  const frames = passed.map(
    ({ request, response, ...rest }): Frame => ({
      ...rest,
      request: frame(request),
      ...(response && { response: frame(response) }),
    }),
  );
  return { frames: JSON.stringify(frames), bodies: Buffer.concat(bodies) };
}

export function unloaded({ frames, bodies }: Load): Passed[] {
  let at = 0;
  const whole = <Message extends PassedMessage>({ bytes, ...rest }: Bodiless<Message>) => {
    const from = at;
    at += bytes ?? 0;
    return { ...rest, body: bytes === undefined ? undefined : bodies.subarray(from, at) };
  };
  return (JSON.parse(frames) as Frame[]).map(({ request, response, ...rest }) => ({
    ...rest,
    request: whole<Passed['request']>(request),
    ...(response && { response: whole<NonNullable<Passed['response']>>(response) }),
  }));
}
