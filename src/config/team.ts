/**
 * The address of a team's journal as a person writes it, and the password that belongs to it.
 */
import { readFileSync } from "node:fs";
import { advice, purser, quotedPath } from "../api/advice.js";
import { isOwnHost } from "../api/service-address.js";
import { troubleWords } from "../api/text/trouble.js";
import { PurserError } from "../errors.js";
import type { Profile } from "../ports/profiles.js";
import type { Keeping, TeamAddress } from "../ports/team.js";
import { type SecretPlace, SecretStore } from "./secrets/store.js";

const example = "postgresql://YOUR-LOGIN@db.example.com/payments";

/**
 * `postgresql://LOGIN@HOST:PORT/DATABASE`, with `?schema=` (purser), `?sslmode=` (verify-full; disable on this machine) and `?sslrootcert=FILE`.
 * @throws PurserError usage, for what is no such address, for one with a password, and for a certificate that cannot be read
 */
export function teamAddress(url: string): TeamAddress {
	const parsed = URL.canParse(url) ? new URL(url) : undefined;
	if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol) || parsed.hostname === "" || parsed.pathname.length < 2)
		throw refused("TEAM_ADDRESS_INVALID", `${JSON.stringify(withoutPassword(url))} is not the address of a database`);
	if (parsed.password !== "")
		throw refused("TEAM_ADDRESS_SECRET", "An address with a password in it is not taken: it would be stored and shown");
	if (parsed.username === "")
		throw refused("TEAM_ADDRESS_INVALID", "The address does not say who logs in: everybody does so as themselves");
	const host = decodeURIComponent(parsed.hostname).replace(/^\[(.*)\]$/, "$1");
	const { schema = "purser", sslmode, sslrootcert, ...other } = Object.fromEntries(parsed.searchParams) as Record<string, string>;
	const [unknown] = Object.keys(other);
	if (unknown !== undefined) throw refused("TEAM_ADDRESS_INVALID", `The address has ${JSON.stringify(unknown)}, which is not known here`);
	if (sslmode !== undefined && sslmode !== "verify-full" && sslmode !== "disable")
		throw refused("TEAM_ADDRESS_INVALID", `sslmode ${JSON.stringify(sslmode)} does not prove which server answers`);
	const local = host.startsWith("/") || isOwnHost(host);
	return {
		host,
		port: Number(parsed.port || 5432),
		database: decodeURIComponent(parsed.pathname.slice(1)),
		user: decodeURIComponent(parsed.username),
		schema,
		ssl: (sslmode ?? (local ? "disable" : "verify-full")) === "disable" ? "off" : "verify-full",
		...(sslrootcert !== undefined && { ca: certificate(sslrootcert) }),
	};
}

/** The address of the profile's team, with the password that is kept on this machine, if any. @throws PurserError, as {@link teamAddress} */
export async function addressOfTeam(profile: Profile, url: string, place: SecretPlace): Promise<TeamAddress> {
	const address = teamAddress(url);
	const kept = await passwordsOf(place).get(profile.name, originOf(address));
	return kept === undefined ? address : { ...address, password: kept.secret };
}

/** Keeps the password of the profile's team. @returns a warning, where it is in a file */
export async function keepPassword(profile: Profile, address: TeamAddress, place: SecretPlace): Promise<string | undefined> {
	return (await passwordsOf(place).set(profile.name, originOf(address), address.password ?? "")).warning;
}

/** Forgets it. */
export async function forgetPassword(profile: Profile, place: SecretPlace): Promise<void> {
	await passwordsOf(place).remove(profile.name);
}

/** How the database keeps what it has confirmed, and what an absent standby means. */
export function keepingText({ fsync, synchronousCommit, standbys }: Keeping): string {
	const waits = standbys.filter(({ sync }) => sync === "sync" || sync === "quorum").length;
	const counted = (count: number, what: string): string => `${count} standby${count === 1 ? "" : "s"} ${what}`;
	const copies =
		standbys.length === 0
			? "no standby: if its disk is lost, nobody knows what was paid since the last backup"
			: waits > 0
				? counted(waits, "with each payment before it is sent")
				: counted(standbys.length, "that may be behind: after a failover the latest payments may be missing");
	return `fsync ${fsync}, synchronous_commit ${synchronousCommit}; ${copies}`;
}

const originOf = ({ host, port, database, user }: TeamAddress): string => `${user}@${host}:${port}/${database}`;

const passwordsOf = (place: SecretPlace): SecretStore<string> =>
	new SecretStore(place, {
		word: "team",
		called: (name) => `the password of the team's journal of profile ${name}`,
		again: (name, file) => advice`give it again:\nrm ${quotedPath(file)}\n${purser`team join URL --profile ${name}`}`,
		account: (name, origin) => `team ${name} ${origin}`,
		read: (text) => text,
		write: (secret) => secret,
	});

function certificate(file: string): string {
	try {
		return readFileSync(file, "utf8");
	} catch (cause) {
		throw refused("TEAM_CERTIFICATE_UNREADABLE", `The certificate ${file} cannot be read: ${troubleWords(cause) ?? "unknown"}`);
	}
}

const withoutPassword = (url: string): string => url.replace(/(:\/\/[^:@/]*):[^@/]*@/, "$1:…@");

function refused(code: string, message: string): PurserError {
	return new PurserError("usage", {
		code,
		message,
		fix: `Write it like ${example}. The password is asked for, or read from the file that PGPASSFILE names.`,
	});
}
