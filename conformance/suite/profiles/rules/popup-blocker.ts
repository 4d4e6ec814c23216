/** interface: Agent profile, popupBlockerActive. */

import { accepted, answer, sent } from '../../../engine/outcome/read.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import type { Judges } from '../../../engine/vocabulary.js';
import { touches } from '../settings.js';

export const popupBlocker = {
  /**
   * Seen: a profile with the popup blocker, or an update that asks for it. Violated where it is on and adblock is off.
   */
  'popup-blocker-requires-adblock': {
    exchange(exchange) {
      const profile = exchange.operation === 'updateProfile' && accepted(exchange) ? answer(exchange) : undefined;
      if (!profile) return undefined;
      const { popupBlockerActive, adblockActive } = profile;
      if (popupBlockerActive === true && adblockActive === false)
        return violated(exchange, 'popupBlockerActive only with adblockActive', 'the one without the other');
      const asked = sent(exchange) ?? {};
      return popupBlockerActive === true || touches(asked, 'popupBlockerActive') ? satisfied(exchange) : undefined;
    },
  },
} satisfies Judges;
