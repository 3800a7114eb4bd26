/** Takes secrets, and where one is and for whom, out of the environment that programs inherit, and may pass on or log. @returns it as it was */
export function takeSecrets(inherited: Record<string, string | undefined>): Readonly<Record<string, string | undefined>> {
	const all = { ...inherited };
	for (const name of ["PURSER_TOKEN", "PURSER_TOKEN_FILE", "PURSER_TOKEN_ORIGIN"]) delete inherited[name];
	return all;
}
