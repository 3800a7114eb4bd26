/**
 * The service that a base address names: scheme, host, port and base path, without a slash at its end. One gateway may serve several
 * services under paths of their own (a test beside the live one), and what one lists says nothing of what another was sent.
 * @throws TypeError for what is no address
 */
export function serviceAddress(baseUrl: string): string {
	const { origin, pathname } = new URL(baseUrl);
	return origin + pathname.replace(/\/+$/, "");
}
