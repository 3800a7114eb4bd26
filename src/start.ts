/** What every run but --version needs, in one file: not each needs all of it, but one file less to open is more. */
export { adviceText } from "./api/advice.js";
export { serviceAddress } from "./api/service-address.js";
export { takeSecrets } from "./api/token-variables.js";
export { readGlobal } from "./cli/input/options.js";
export { cutOffLine, unwritten, warningLine } from "./cli/output/cut-off.js";
export { UnderWay } from "./cli/under-way.js";
export { commands } from "./commands/index.js";
export { directories as directoriesOf } from "./config/directories.js";
export { createProfiles } from "./config/profiles.js";
export { resolve } from "./config/settings.js";
export { run } from "./run.js";
export { browser } from "./system/browser.js";
export { clock, createServiceClock, random } from "./system/clock.js";
export { createFiles } from "./system/files.js";
export { home, once, oncePerProfile, shippedFile, shippedText } from "./system/machine.js";
export { processes } from "./system/processes.js";
export { createSeenNames } from "./system/seen-names.js";
export { mayBeTerminal, readAll, untilStopped, writable } from "./system/streams.js";
