/**
 * The keyring of the operating system, as far as it can be trusted to remember.
 */
export interface Keyring {
	/** @throws whatever the keyring throws: locked, not there */
	get(account: string): Promise<string | undefined>;
	set(account: string, secret: string): Promise<void>;
	remove(account: string): Promise<void>;
}

const service = "purser";
/** Milliseconds: a keyring that waits for someone to unlock it must not hang a script. */
const patience = 20_000;

/**
 * The keyring, or undefined where there is none: the optional package is missing, the machine has no desktop session, or
 * PURSER_NO_KEYRING is set. On Linux only the Secret Service counts: the kernel's own keyring forgets at the next start.
 */
export async function openKeyring(env: Readonly<Record<string, string | undefined>>, platform: string): Promise<Keyring | undefined> {
	if (env.PURSER_NO_KEYRING) return undefined;
	if (platform === "linux" && !env.DBUS_SESSION_BUS_ADDRESS && !env.XDG_RUNTIME_DIR) return undefined;
	try {
		const { AsyncEntry } = await import("@napi-rs/keyring");
		const entry = (account: string) => new AsyncEntry(service, account, { linux: { store: "secret-service" } });
		// Constructing an entry already fails where there is no store.
		entry("probe");
		return {
			get: async (account) => (await entry(account).getPassword(AbortSignal.timeout(patience))) ?? undefined,
			set: (account, secret) => entry(account).setPassword(secret, AbortSignal.timeout(patience)),
			remove: async (account) => void (await entry(account).deletePassword(AbortSignal.timeout(patience))),
		};
	} catch {
		return undefined;
	}
}
