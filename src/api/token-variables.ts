/** Variables that hold a secret, or say where one is and for whom. */
const secretVariables = ["PURSER_TOKEN", "PURSER_TOKEN_FILE", "PURSER_TOKEN_ORIGIN"] as const;

type Env = Readonly<Record<string, string | undefined>>;

/** The environment for a program that purser starts: whatever it is, it needs none of these, and may pass on or log what it has. */
export function withoutSecrets(env: Env): Record<string, string | undefined> {
	const left = { ...env };
	for (const name of secretVariables) delete left[name];
	return left;
}

/** Takes them out of the environment that programs inherit. @returns it as it was */
export function takeSecrets(inherited: Record<string, string | undefined>): Env {
	const all = { ...inherited };
	for (const name of secretVariables) delete inherited[name];
	return all;
}
