/** The same as `homedir` of `node:os`, which is loaded only where the environment does not say it. */
export async function home(env: Readonly<Record<string, string | undefined>>, platform: string): Promise<string> {
	const fromEnvironment = platform === "win32" ? env.USERPROFILE || undefined : env.HOME;
	return fromEnvironment ?? (await import("node:os")).homedir();
}
