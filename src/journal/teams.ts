/**
 * Implements the port `Teams`: makes a team's journal, and lets this machine join and leave it.
 */
import { advice, purser } from "../api/advice.js";
import { serviceAddress } from "../api/service-address.js";
import { PurserError } from "../errors.js";
import type { Rules } from "../ports/journal.js";
import type { Profile, Profiles } from "../ports/profiles.js";
import type { TeamAddress } from "../ports/team.js";
import type { Teams } from "../ports/teams.js";
import { carryAgain, joinTeam, leaveTeam, teamStatus } from "./membership.js";
import type { JournalOptions } from "./open.js";
import { changePolicy, createTeamJournal, recoverTeam } from "./open-team.js";
import { schemaText } from "./postgres/schema.js";
import { addressText } from "./postgres/session.js";
import { troubleWith } from "./postgres/trouble.js";

interface Place {
	/** What this machine is called. */
	machine: string;
	/** How the journal of this machine is opened, and the rules of both. */
	options(profile: Profile): Promise<{ local: Omit<JournalOptions, "rules">; rules: Rules }>;
	profiles: Profiles;
	/** @throws PurserError usage, where it is none */
	address(url: string): TeamAddress;
	/** With the password that is kept on this machine. */
	kept(profile: Profile, url: string): Promise<TeamAddress>;
	/** Keeps the password. @returns a warning, where it is in a file */
	keep(profile: Profile, address: TeamAddress): Promise<string | undefined>;
	forget(profile: Profile): Promise<void>;
}

export function teamsOf(place: Place): Teams {
	const { profiles } = place;
	const withPassword = (address: TeamAddress, password: string | undefined): TeamAddress =>
		password === undefined ? address : { ...address, password };
	const optionsOf = async (profile: Profile, address: TeamAddress, machine: string) => {
		const { local, rules } = await place.options(profile);
		return { local: { ...local, rules }, team: { ...local, rules, address, machine, service: serviceAddress(profile.baseUrl) }, machine };
	};
	const membership = async (profile: Profile) => {
		if (profile.team === undefined) throw noTeam(profile);
		return optionsOf(profile, await place.kept(profile, profile.team.url), profile.team.machine);
	};
	return {
		async statements(url, policy) {
			const address = place.address(url);
			return troubleWith(address, addressText(address)).guarded(() => schemaText(address.schema, policy));
		},
		create: async (url, { policy, password }) => createTeamJournal({ address: withPassword(place.address(url), password), policy }),
		change: async (url, { policy, password }) => changePolicy({ address: withPassword(place.address(url), password), policy }),
		async join(profile, url, { password, ...asked }) {
			const address = withPassword(await place.kept(profile, url), password);
			const { machine, carried } = await joinTeam({ ...(await optionsOf(profile, address, place.machine)), ...asked });
			const warning = password === undefined ? undefined : await place.keep(profile, address);
			await profiles.change(profile.name, (stored) => ({ ...stored, team: { url, machine } }));
			return { url, machine, carried, warning };
		},
		async leave(profile) {
			await leaveTeam(await membership(profile));
			await profiles.change(profile.name, ({ team: _, ...stored }) => stored);
			await place.forget(profile);
		},
		forget: place.forget,
		async recover(profile, reason) {
			const options = await membership(profile);
			// First, so that nobody pays by it before it has what this machine had paid when it joined.
			await carryAgain(options);
			return recoverTeam(options.team, reason);
		},
		status: async (profile) => teamStatus((await membership(profile)).team),
	};
}

function noTeam({ name }: Profile): PurserError {
	return new PurserError("usage", {
		code: "NO_TEAM",
		message: `The profile ${name} pays by a journal of its own, and by no team's`,
		fix: advice`To pay by a team's: ${purser`team join postgresql://YOUR-LOGIN@db.example.com/payments`}`,
	});
}
