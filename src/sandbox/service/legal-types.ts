/**
 * The keys of legalType that the sandbox takes: the countries of specification 2.1 in its order, each written like the one key it shows.
 */
const countries =
	"Austria, Bosnia and Herzegovina, Belgium, Bulgaria, Czechia, Germany, Denmark, Estonia, Spain, Finland, France, United Kingdom, Greece, Croatia, " +
	"Hungary, Ireland, Iceland, Italy, Liechtenstein, Lithuania, Luxembourg, Latvia, Montenegro, North Macedonia, Netherlands, Norway, Poland, " +
	"Portugal, Romania, Serbia, Russian Federation, Sweden, Slovenia, Slovakia, Ukraine";

/** `austriaValue`, `bosniaAndHerzegovinaValue` … */
export const legalTypes: readonly string[] = countries.split(", ").map((country) => {
	const [first = "", ...rest] = country.split(" ");
	return [first.toLowerCase(), ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)), "Value"].join("");
});
