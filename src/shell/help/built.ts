import type { Contract } from "../contract.js";

/** The commands as data, written here by the build (.config/build.js); undefined where the source itself runs. */
export const built: Contract | undefined = undefined;
