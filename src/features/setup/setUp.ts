import { wordsOf } from '../../editor/errorTexts.js';
import { commandButton } from '../../editor/commands.js';
import { notify, runDetached, showStatus } from '../../editor/messages.js';
import {
	askPick,
	askText,
	inputButton,
	pickLoop,
	type Answer,
	type TextQuestion,
} from '../../editor/quickInput.js';
import { keyProblem, type ApiKeys } from '../../editor/secrets.js';
import { mayMoveKey, readService, serviceInUse, type ServiceInUse } from '../../editor/service.js';
import { readSetting, settingOr, writeUserSetting } from '../../editor/settings.js';
import { openWalkthrough, stepDone } from '../../editor/walkthrough.js';
import { log } from '../../log.js';
import { deploymentIn, isLoopback, normalizeAddress } from '../../service/address.js';
import { RequestError } from '../../service/errors.js';
import {
	defaultService,
	recognizeService,
	serviceIds,
	services,
	type ServiceId,
} from '../../service/services.js';
import { setupMessages } from '../messages.js';
import { connectionWords, reach, type Found } from './connection.js';

/** Answers until now. Nothing of them is stored before the last one. */
interface SetUpDraft {
	/** Address as it is typed, wrong or not, so that a mistake can be corrected where it stands. */
	readonly typed: string;
	readonly kind: ServiceId;
	/** Model or deployment; empty for that of the service. */
	readonly model: string;
	readonly key: CheckedKey;
}

interface Step {
	/** Returns whether it has something to ask. */
	readonly applies: (draft: SetUpDraft) => boolean;
	/** Returns the draft with its answer; `back` for the step before, `address` for the first one. */
	readonly ask: (draft: SetUpDraft, place: StepPlace) => Promise<SetUpDraft | 'back' | 'address'>;
}

type StepPlace = Required<Pick<TextQuestion, 'title' | 'step' | 'totalSteps' | 'canGoBack'>>;

const { title } = setupMessages;
const getStartedButton = inputButton('mortar-board', setupMessages.getStarted);

/**
 * Asks for address, kind, model and key, and looks what there is at the address, before anything is
 * stored. Escape goes back a step.
 *
 * @param goesOn whether the caller goes on with them, so that no first image is offered
 */
export async function setUp(keys: ApiKeys, goesOn: boolean): Promise<boolean> {
	const kind = settingOr(() => readSetting('service.type')) ?? 'auto';
	let draft: SetUpDraft = {
		typed: settingOr(() => readSetting('service.address')) ?? '',
		kind: kind === 'auto' ? (settingOr(readService)?.id ?? defaultService) : kind,
		model: settingOr(() => readSetting('service.model')) ?? '',
		key: { key: '', found: 'unseen' },
	};
	const steps = stepsWith(keys);
	const asked: number[] = [];
	for (let at = 0; at < steps.length;) {
		const step = steps[at]!;
		if (!step.applies(draft)) {
			at += 1;
			continue;
		}
		const answer = await step.ask(draft, {
			title,
			step: asked.length + 1,
			totalSteps: Math.max(asked.length + 1, steps.filter((one) => one.applies(draft)).length),
			canGoBack: asked.length > 0,
		});
		if (answer === 'back' || answer === 'address') {
			const before = answer === 'back' ? asked.pop() : asked[0];
			if (before === undefined) {
				return false;
			}
			asked.length = answer === 'back' ? asked.length : 0;
			at = before;
		} else {
			draft = answer;
			asked.push(at);
			at += 1;
		}
	}
	return store(draft, keys, goesOn);
}

function stepsWith(keys: ApiKeys): readonly Step[] {
	return [
		{ applies: () => true, ask: askAddress },
		{
			applies: ({ typed }) => addressProblem(typed) === undefined && knownKind(typed) === undefined,
			ask: askKind,
		},
		{ applies: ({ kind }) => services[kind].namesDeployments === true, ask: askDeployment },
		{
			applies: () => true,
			ask: async (draft, place) => {
				const service = serviceInUse(draft.kind, draft.model);
				const address = normalizeAddress(draft.typed);
				const key = await askCheckedKey(keys, { address, service }, place);
				return typeof key === 'string' ? key : { ...draft, key };
			},
		},
		{
			applies: ({ kind, key }) => services[kind].modelIsOptional === true && listed(key).length > 1,
			ask: askServerModel,
		},
	];
}

function knownKind(typed: string): ServiceId | undefined {
	return recognizeService(normalizeAddress(typed));
}

async function askAddress(draft: SetUpDraft, place: StepPlace): ReturnType<Step['ask']> {
	const answer = await askText({
		...place,
		text: draft.typed,
		placeholder: 'https://images.example.com',
		prompt: setupMessages.address,
		problem: addressProblem,
		buttons: [getStartedButton],
	});
	if (answer?.type === 'button') {
		await openWalkthrough();
	}
	if (answer?.type !== 'value') {
		return 'back';
	}
	const known = knownKind(answer.value);
	const kind = known ?? draft.kind;
	const deployment = services[kind].namesDeployments ? deploymentIn(answer.value) : '';
	// The model of another service is none of this one.
	const model = deployment || (kind === draft.kind ? draft.model : '');
	return { ...draft, typed: answer.value, kind, model };
}

async function askKind(draft: SetUpDraft, place: StepPlace): ReturnType<Step['ask']> {
	const { hostname } = new URL(normalizeAddress(draft.typed));
	const items = serviceIds.map((value) => {
		const [label, description] = setupMessages.kinds[value];
		return { label, description, value };
	});
	const chosen = settingOr(() => readSetting('service.type')) ?? 'auto';
	const likely =
		chosen !== 'auto'
			? chosen
			: isLoopback(hostname) && draft.kind === defaultService
				? 'local'
				: draft.kind;
	const answer = await askPick({
		...place,
		placeholder: setupMessages.kind(normalizeAddress(draft.typed)),
		items,
		active: items.find(({ value }) => value === likely),
		matchOnDescription: true,
	});
	if (answer?.type !== 'value') {
		return 'back';
	}
	const kind = answer.value.value;
	return { ...draft, kind, model: kind === draft.kind ? draft.model : '' };
}

async function askDeployment(draft: SetUpDraft, place: StepPlace): ReturnType<Step['ask']> {
	const answer = await askText({
		...place,
		text: draft.model,
		placeholder: 'gpt-image-2',
		prompt: setupMessages.deployment,
		problem: (text) =>
			text.trim() === ''
				? setupMessages.deploymentEmpty
				: /^[\w.-]{1,100}$/.test(text.trim())
					? undefined
					: setupMessages.deploymentWrong,
	});
	return answer?.type === 'value' ? { ...draft, model: answer.value.trim() } : 'back';
}

async function askServerModel(draft: SetUpDraft, place: StepPlace): ReturnType<Step['ask']> {
	const items = [
		{ label: setupMessages.ownModel, value: '' },
		...listed(draft.key).map((value) => ({ label: value, value })),
	];
	const answer = await askPick({
		...place,
		placeholder: setupMessages.selectServerModel,
		items,
		active: items.find(({ value }) => value === draft.model),
	});
	return answer?.type === 'value' ? { ...draft, model: answer.value.value } : 'back';
}

function listed({ found }: CheckedKey): readonly string[] {
	return typeof found === 'object' && found.type === 'listed' ? found.models : [];
}

async function store(draft: SetUpDraft, keys: ApiKeys, goesOn: boolean): Promise<boolean> {
	const { kind, model, key } = draft;
	const address = normalizeAddress(draft.typed);
	const service = serviceInUse(kind, model);
	if (!(await storeKey(keys, { address, service }, key.key))) {
		return false;
	}
	const type = recognizeService(address) === kind ? 'auto' : kind;
	await writeUserSetting('service.address', address);
	for (const [setting, value] of [
		['service.type', type === defaultService ? 'auto' : type],
		['service.model', model],
	] as const) {
		if (settingOr(() => readSetting(setting)) !== value) {
			await writeUserSetting(setting, value);
		}
	}
	log.info(`The image service is set up: ${address}.`);
	stepDone('setUp');
	const connection = { address, service, key: key.key || (await keyInUse(keys, address)) };
	const words =
		key.found === 'unseen'
			? setupMessages.doneUnseen(address)
			: setupMessages.done(connectionWords(connection, key.found));
	if (goesOn) {
		showStatus(words, 'check');
	} else {
		const generate = commandButton('easel.generateImage');
		runDetached(notify('info', words, [{ ...generate, label: setupMessages.generateFirst }]));
	}
	return true;
}

export interface CheckedKey {
	/** The empty string means that the one that is there is used, or none. */
	readonly key: string;
	/** `unseen` where the user goes on without a connection. */
	readonly found: Found | 'unseen';
}

/** Address and the service that it is asked as. */
interface Place {
	readonly address: string;
	readonly service: ServiceInUse;
}

/**
 * Asks for the key until the service does not refuse it.
 *
 * @returns `address` where the user wants another address, `back` where the question is left
 */
export async function askCheckedKey(
	keys: ApiKeys,
	place: Place,
	question: TextQuestion,
): Promise<CheckedKey | 'address' | 'back'> {
	const { address } = place;
	let refusal: string | undefined;
	const checked = await pickLoop<NonNullable<Answer<string>>, CheckedKey | 'address' | 'back'>(
		() => askKey(keys, place, { ...question, ...(refusal && { prompt: refusal }) }),
		async (answer) => {
			if (answer.type !== 'value') {
				return { done: 'back' };
			}
			const key = answer.value || (await keyInUse(keys, address));
			const found = await reach({ ...place, key });
			if (found === 'changeAddress') {
				return { done: 'address' };
			}
			if (found === 'unseen' || found.type === 'listed' || found.type === 'unlisted') {
				return { done: { key: answer.value, found } };
			}
			refusal = found.type === 'refused' ? connectionWords({ ...place, key }, found) : undefined;
			return 'again';
		},
	);
	return checked ?? 'back';
}

/** The key that an empty answer stands for; `undefined` where it belongs to another address yet. */
export async function keyInUse(keys: ApiKeys, address: string): Promise<string | undefined> {
	const found = await keys.get(address);
	return found?.source === 'elsewhere' ? undefined : found?.key;
}

/** Stores the key that was typed; with none, that of the environment may have to be asked about. */
export async function storeKey(
	keys: ApiKeys,
	{ address, service }: Place,
	key: string,
): Promise<boolean> {
	if (key !== '') {
		await keys.set(address, key);
		return true;
	}
	const found = await keys.get(address);
	const isOptional = service.keyIsOptional === true;
	return isOptional || found?.source !== 'elsewhere' || mayMoveKey(found.address, address, keys);
}

/** Asks for the key; the empty string means that the one that is there is used, or none. */
async function askKey(
	keys: ApiKeys,
	{ address, service }: Place,
	question: TextQuestion,
): Promise<Answer<string>> {
	const found = await keys.get(address);
	const isOptional = service.keyIsOptional === true;
	// Who comes to set a key sets one, but for that of the environment, which then belongs here.
	const canStay =
		isOptional ||
		(question.canGoBack === true ? found !== undefined : found?.source === 'elsewhere');
	const staying =
		found === undefined || (isOptional && found.source === 'elsewhere')
			? setupMessages.useNoKey
			: found.source === 'elsewhere'
				? setupMessages.useEnvironmentKey
				: setupMessages.useCurrentKey;
	const answer = await askText({
		...question,
		password: true,
		placeholder: canStay ? staying : setupMessages.key,
		prompt: question.prompt ?? setupMessages.keyPrompt(address, keys.isLost(address, found)),
		problem: (text) => (canStay && text.trim() === '' ? undefined : keyProblem(text)),
	});
	return answer?.type === 'value' ? { ...answer, value: answer.value.trim() } : answer;
}

function addressProblem(text: string): string | undefined {
	try {
		normalizeAddress(text);
		return undefined;
	} catch (error) {
		if (error instanceof RequestError) {
			return wordsOf(error);
		}
		throw error;
	}
}
