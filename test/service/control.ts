import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { jsonAnswer, type Answer } from './answer.js';
import { faultSchema, type FaultBox } from './faults.js';
import { readJsonObjectOrArray } from './form.js';
import { badRequest, errorBody, Refusal } from './refusal.js';
import type { LanguageModels } from './languageModel.js';
import type { Ledger } from './requests.js';

export const controlPrefix = '/control/';

interface Controlled {
	readonly ledger: Ledger;
	readonly faults: FaultBox;
	readonly releaseHeld: () => number;
	readonly models: LanguageModels;
}

type Action = (request: IncomingMessage, service: Controlled) => Promise<Answer> | Answer;

/**
 * Actions of another process: `POST /control/faults` adds one fault or a list, `DELETE` of it
 * clears them, `POST /control/release` lets held requests go on, `GET /control/state` returns all.
 */
const actions: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
	'/control/faults': { POST: addFaults, DELETE: clearFaults },
	'/control/release': {
		POST: (_, { releaseHeld }) => jsonAnswer(200, { released: releaseHeld() }),
	},
	'/control/state': { GET: (_, service) => jsonAnswer(200, stateOf(service)) },
};

/** Answers a request to the control endpoints. Only this machine is heard; no key is asked for. */
export async function answerControl(
	request: IncomingMessage,
	path: string,
	service: Controlled,
): Promise<Answer> {
	const headers = { 'x-request-id': 'req_control' };
	try {
		const { status, body, ...rest } = await dispatch(request, path, service);
		return { status, body, headers: { ...rest.headers, ...headers } };
	} catch (error) {
		if (error instanceof Refusal) {
			return jsonAnswer(error.status, error.body, { ...error.headers, ...headers });
		}
		throw error;
	}
}

async function dispatch(
	request: IncomingMessage,
	path: string,
	service: Controlled,
): Promise<Answer> {
	if (!/^(::ffff:)?127\.|^::1$/.test(request.socket.remoteAddress ?? '')) {
		throw refuse(403, 'The control endpoints are for this machine only.');
	}
	const methods = Object.hasOwn(actions, path) ? actions[path] : undefined;
	if (methods === undefined) {
		throw refuse(404, `There is nothing at ${path}.`);
	}
	const method = request.method ?? '';
	const action = Object.hasOwn(methods, method) ? methods[method] : undefined;
	if (action === undefined) {
		const allow = Object.keys(methods).join(', ');
		throw refuse(405, `${path} takes ${allow} only.`, { allow });
	}
	return action(request, service);
}

async function addFaults(request: IncomingMessage, service: Controlled): Promise<Answer> {
	const sent = await readJsonObjectOrArray(request);
	const parsed = z.array(faultSchema).safeParse(Array.isArray(sent) ? sent : [sent]);
	if (!parsed.success) {
		throw badRequest(`This is no fault: ${z.prettifyError(parsed.error)}`);
	}
	service.faults.add(...parsed.data);
	return jsonAnswer(201, { faults: service.faults.active });
}

function clearFaults(_: IncomingMessage, { faults }: Controlled): Answer {
	faults.clear();
	return jsonAnswer(200, { faults: [] });
}

function stateOf({ ledger, faults, models }: Controlled): Record<string, unknown> {
	const { imagesMade, maxAtOnce, open, requests, strays } = ledger;
	return {
		imagesMade,
		maxAtOnce,
		open,
		faults: faults.active,
		requests,
		strays,
		modelRequests: models.requests,
	};
}

function refuse(status: number, message: string, headers: Record<string, string> = {}): Refusal {
	return new Refusal(status, errorBody(message, 'invalid_request_error', 'control'), headers);
}
