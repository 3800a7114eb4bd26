/** Opens an http, https or file address in the person's browser. Resolves false where there is none. */
export async function browser(address: string): Promise<boolean> {
	if (!/^(https?|file):\/\//.test(address)) return false;
	try {
		const { default: open } = await import("open");
		const child = await open(address);
		return await new Promise((resolve) => {
			child.once("error", () => resolve(false));
			child.once("spawn", () => resolve(true));
			if (child.pid !== undefined) resolve(true);
		});
	} catch {
		return false;
	}
}
