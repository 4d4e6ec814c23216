export { VirtualClock } from '../conformance/engine/send/clock.js';
