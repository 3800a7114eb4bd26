import { purser } from "../api/advice.js";
import type { SuggestedCommand } from "../errors.js";

/** `directSharesPercentage` → `direct-shares-percentage`. */
export function kebab(name: string): string {
	return name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
}

export function helpOf({ path }: { path: string }): SuggestedCommand {
	return purser`${path.split(" ")} --help`;
}

export function flagOf(path: string): string {
	return `--${path.split(".").map(kebab).join(".")}`;
}
