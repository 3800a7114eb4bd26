/** The real ports, loaded together when a run needs the first of them. */
export { browser } from "./browser.js";
export { clock } from "./clock.js";
export { createCompletionCache } from "./completion-cache.js";
export { createFiles } from "./files.js";
export { home } from "./home.js";
export { once, oncePerProfile } from "./once.js";
export { processes } from "./processes.js";
export { random } from "./random.js";
export { createServiceClock } from "./service-clock.js";
export { shippedFile, shippedText } from "./shipped.js";
export { mayBeTerminal, readAll, untilStopped, writable } from "./streams.js";
