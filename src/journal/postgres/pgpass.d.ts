declare module "pgpass" {
	/** Looks the password up in the file that PGPASSFILE names, else in ~/.pgpass, which nobody else may read. */
	export default function pgpass(
		login: { host: string; port: number; database: string; user: string },
		found: (password: string | undefined) => void,
	): void;
}
