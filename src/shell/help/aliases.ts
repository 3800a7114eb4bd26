/**
 * Names that people try because other tools have them. They are suggested and never run: the word alone does not say what was meant.
 */

/** What was typed, as a whole, with the commands that may be meant. A command that does not exist is left out. */
const meanings: Readonly<Record<string, readonly string[]>> = {
	account: ["ledger list"],
	accounts: ["ledger list"],
	balance: ["ledger list"],
	balances: ["ledger list"],
	batches: ["pay batch list"],
	cases: ["overview"],
	check: ["doctor"],
	clients: ["corporate list"],
	companies: ["corporate list"],
	company: ["corporate list"],
	"config get": ["config explain"],
	"config list": ["config explain"],
	"config ls": ["config explain"],
	"config set": ["profile set"],
	"config show": ["config explain"],
	"config unset": ["profile set"],
	configure: ["auth login"],
	corporates: ["corporate list"],
	customers: ["corporate list"],
	dashboard: ["home"],
	diagnose: ["doctor"],
	docs: ["help"],
	drafts: ["onboard list"],
	init: ["auth login"],
	ledgers: ["ledger list"],
	link: ["email send-link", "kyc link"],
	list: ["corporate list", "ledger list", "pay list"],
	log: ["history list"],
	logs: ["history list"],
	ls: ["corporate list", "ledger list", "pay list"],
	man: ["help"],
	menu: ["home"],
	"onboard continue": ["onboard resume"],
	"onboard delete": ["onboard discard"],
	"onboard remove": ["onboard discard"],
	"onboard drafts": ["onboard list"],
	"onboard new": ["onboard start"],
	"pay file": ["pay batch plan"],
	"pay payee": ["pay beneficiary"],
	"pay send": ["pay beneficiary", "pay ledger"],
	"pay status": ["pay show"],
	"pay supplier": ["pay beneficiary"],
	"pay transfer": ["pay ledger"],
	payee: ["beneficiary list"],
	payees: ["beneficiary list"],
	payment: ["pay list"],
	payments: ["pay list"],
	people: ["related list"],
	persons: ["related list"],
	profiles: ["profile list"],
	resend: ["email send-link", "kyc link"],
	"sandbox run": ["sandbox serve"],
	"sandbox start": ["sandbox serve"],
	send: ["pay beneficiary", "pay ledger"],
	settings: ["config explain"],
	setup: ["auth login"],
	signin: ["auth login"],
	status: ["home", "corporate status"],
	suppliers: ["beneficiary list"],
	todo: ["home"],
	transaction: ["pay list"],
	transactions: ["pay list"],
	transfer: ["pay ledger", "pay beneficiary"],
	transfers: ["pay list"],
	version: ["--version"],
	whoami: ["auth status"],
};

/** The last word of a command under other names, the likeliest first. */
const verbs: Readonly<Record<string, readonly string[]>> = {
	add: ["create"],
	create: ["add"],
	delete: ["remove"],
	details: ["show"],
	edit: ["update", "set"],
	get: ["show", "status"],
	info: ["show", "status"],
	ls: ["list"],
	new: ["create", "add"],
	rm: ["remove"],
	select: ["use"],
	switch: ["use"],
	view: ["show"],
};

/**
 * The commands that may be meant by words that are none.
 * @param words those that name a part of a command, like `config`
 * @param unknown the one behind them
 */
export function meantBy(words: readonly string[], unknown: string, paths: readonly string[]): readonly string[] {
	const typed = [...words, unknown.toLowerCase()].join(" ");
	const exists = (path: string): boolean => path.startsWith("--") || paths.includes(path);
	const whole = Object.hasOwn(meanings, typed) ? (meanings[typed] as readonly string[]).filter(exists) : [];
	if (whole.length > 0 || words.length === 0 || !Object.hasOwn(verbs, unknown)) return whole;
	const verb = (verbs[unknown] as readonly string[]).map((name) => [...words, name].join(" ")).find(exists);
	return verb === undefined ? [] : [verb];
}
