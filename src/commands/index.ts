import type { CommandList } from "../shell/command.js";

/** Every command: its path and how to load it. */
export const commands: CommandList = {};
