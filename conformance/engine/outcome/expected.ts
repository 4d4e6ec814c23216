import type { Exchange } from '../vocabulary.js';

/** Sent by the suite with the right key and without a fault. */
export const isMeantToPass = ({ mark }: Exchange): boolean =>
  mark?.credential === 'primary' && mark.probe === undefined && mark.odd === undefined && mark.superseded === undefined;
