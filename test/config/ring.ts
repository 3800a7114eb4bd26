/**
 * A keyring in memory that notes how it is asked, and can be told to misbehave.
 */
import type { Keyring } from "../../src/config/secrets/keyring.js";

export function ringOf(fault?: "refuses" | "forgets at once" | "throws on get") {
	const [held, asked] = [new Map<string, string>(), [] as string[]];
	const ring: Keyring = {
		get: async (account) => {
			asked.push("get");
			if (fault === "throws on get") throw new Error("locked");
			return held.get(account);
		},
		set: async (account, secret) => {
			asked.push("set");
			if (fault === "refuses") throw new Error("no");
			if (fault !== "forgets at once") held.set(account, secret);
		},
		remove: async (account) => void held.delete(account),
	};
	return { held, asked, ring, keyring: async () => ring };
}
