/**
 * Payments by another channel than purser: the service has them, and no journal does.
 */
import type { World } from "./world.js";

interface Payment {
	from: string;
	/** A ledger, or a beneficiary. */
	to: { ledger: string } | { beneficiary: string };
	/** Decimal text. */
	amount: string;
	reference?: string;
}

/** Pays at the world's sandbox. @returns the transaction's id */
export async function payElsewhere({ sandbox }: Pick<World, "sandbox">, { from, to, amount, reference }: Payment): Promise<string> {
	const { token } = await sandbox.logIn({ username: "operator", partnerName: "example-partner", password: "sandbox-password" });
	const party = "ledger" in to ? `"ledgerToId":"${to.ledger}"` : `"beneficiaryId":"${to.beneficiary}"`;
	const text = reference === undefined ? "" : `,"reference":${JSON.stringify(reference)}`;
	const answer = await sandbox.handle({
		method: "POST",
		target: `/api/partner/transactions/${"ledger" in to ? "inter-ledger" : "beneficiary"}`,
		headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
		body: new TextEncoder().encode(`{"ledgerFromId":"${from}",${party},"amount":${amount}${text}}`),
	});
	const said = new TextDecoder().decode(answer.body);
	if (answer.status !== 201) throw new Error(`the payment from elsewhere was refused: ${said}`);
	return JSON.parse(said).id;
}
