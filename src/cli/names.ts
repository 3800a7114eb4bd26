import { purser } from "../api/advice.js";
import type { SuggestedCommand } from "../errors.js";

/** `directSharesPercentage` → `direct-shares-percentage`. */
export function kebab(name: string): string {
	return name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
}

/** The command that shows the help of another one. */
export function helpOf({ path }: { path: string }): SuggestedCommand {
	return purser`${path.split(" ")} --help`;
}

/** The flag for a field's dotted path. */
export function flagOf(path: string): string {
	return `--${path.split(".").map(kebab).join(".")}`;
}
