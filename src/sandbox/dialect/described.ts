/**
 * The language of the operations' own descriptions.
 */
import { catalog } from "../../api/operations/catalog.js";
import { routerOf } from "../router.js";
import { readBody } from "../service/body.js";
import type { Language } from "./language.js";

const route = routerOf(catalog);

export const described: Language = {
	meaningsOf: (request, path, query) => {
		const { operation, params } = route(request.method, path);
		const body = () => (operation.body ? readBody(request) : {});
		return [{ operation, params, query, body, told: (answer) => answer, waiting: 202 }];
	},
	refused: (answer) => answer,
};
