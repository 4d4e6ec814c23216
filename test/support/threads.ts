import { MessageChannel } from 'node:worker_threads';
import type { Thread } from '../../conformance/engine/recording/judging-thread.js';
import { serve } from '../../conformance/engine/recording/serving.js';
import type { Brief } from '../../conformance/engine/recording/taker.js';

/** What a thread does, in this one: what is handed over goes through a port all the same. */
export function threadHere(brief: Brief): Thread {
  const { port1, port2 } = new MessageChannel();
  serve(port2, brief);
  return {
    on(name: string, listener: (...args: never[]) => void) {
      if (name === 'message') port1.on('message', listener as (value: unknown) => void);
      return this;
    },
    postMessage: (message: unknown) => port1.postMessage(message),
    async terminate() {
      port1.close();
      return 0;
    },
  } as Thread;
}
