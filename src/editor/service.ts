import * as vscode from 'vscode';
import { wordsOf } from './errorTexts.js';
import { normalizeAddress } from '../service/address.js';
import { RequestError } from '../service/errors.js';
import { assertOffered } from '../service/requestBody.js';
import {
	defaultService,
	offerOf,
	recognizeService,
	services,
	takesQuality,
	type Service,
	type ServiceId,
} from '../service/services.js';
import {
	nearestSize,
	sizeProblem,
	sizeRow,
	type Quality,
	type Size,
	type SizeRow,
} from '../service/sizes.js';
import { runCommand } from './commands.js';
import { choose, runDetached, notify } from './messages.js';
import type { ApiKeys } from './secrets.js';
import { readSetting, settingOr, SettingError } from './settings.js';
import { stepDone } from './walkthrough.js';
import { texts } from './texts.js';
import {
	defaultNetworkOptions,
	networkOptionsSchema,
	type NetworkOptions,
} from '../service/transport.js';

/** Returns the address that the user has set, if any. @throws {SettingError} where it is none */
export function readServiceAddress(): string | undefined {
	const address = readSetting('service.address');
	if (address.trim() === '') {
		return undefined;
	}
	try {
		return normalizeAddress(address);
	} catch (error) {
		if (error instanceof RequestError) {
			throw new SettingError('easel.service.address', wordsOf(error));
		}
		throw error;
	}
}

/** The service that is set, with what it offers for the model that is set. */
export interface ServiceInUse extends Service {
	readonly id: ServiceId;
	/** Empty where none is named. */
	readonly model: string;
}

/**
 * Returns the service that the user has chosen, else the one that the address is recognized as, else
 * the specification's.
 *
 * @param address the one that is set by default
 * @throws {SettingError} where the choice is none
 */
export function readService(address = settingOr(readServiceAddress)): ServiceInUse {
	const chosen = readSetting('service.type');
	const recognized = address === undefined ? undefined : recognizeService(address);
	const id = chosen === 'auto' ? (recognized ?? defaultService) : chosen;
	return serviceInUse(id, readSetting('service.model'));
}

/** Returns a row of the table with what it offers for a model; the empty one is its own. */
export function serviceInUse(id: ServiceId, named: string): ServiceInUse {
	const service = services[id];
	const model = named || (service.defaultModel ?? '');
	return { ...service, ...offerOf(service, model), id, model };
}

/** Size and quality of what is asked for. */
interface Choices {
	readonly size: Size;
	readonly quality?: Quality | undefined;
}

/**
 * Returns the service, which offers what is asked for.
 *
 * @throws {RequestError} naming what it does not offer, and what it does
 */
export function assertServiceOffers({ size, quality }: Choices, references: number): ServiceInUse {
	const service = readService();
	assertOffered(service, { model: service.model, size, quality, references });
	return service;
}

/** Returns the rows of the sizes that the service lists, in its order. */
export function readSizes(): readonly SizeRow[] {
	return readService().sizes.map(sizeRow);
}

/** Returns the size that the service offers for an image: see {@link nearestSize}. */
export function nearestOffered(dimensions: Parameters<typeof nearestSize>[0]): Size {
	return nearestSize(dimensions, readService());
}

/** Returns choices as the service offers them: see {@link withOfferedChoices}. */
export function offeredChoices({ size, quality }: Choices): Choices & { readonly words?: string } {
	const { offered, words } = withOfferedChoices([{ size, quality }]);
	return { ...offered[0]!, ...(words !== undefined && { words }) };
}

/**
 * Returns what is asked for with choices that the service offers, and words where they are others: the
 * nearest size for one that it does not offer, and no quality.
 */
export function withOfferedChoices<Asked extends Choices>(
	asked: readonly Asked[],
): { readonly offered: readonly Asked[]; readonly words: string | undefined } {
	const service = readService();
	const sizes = new Map(
		[...new Set(asked.map(({ size }) => size))].map((size) => [
			size,
			sizeProblem(size, service)?.nearest,
		]),
	);
	const replaced = new Set<string>();
	const offered = asked.map((one) => {
		const { size, quality } = one;
		const nearest = sizes.get(size);
		const isOffered = quality === undefined || service.qualities.includes(quality);
		if (nearest !== undefined) {
			replaced.add(texts.sizeReplaced(size, nearest));
		}
		if (!isOffered && service.qualities.length > 0) {
			replaced.add(texts.qualityReplaced(quality));
		}
		return { ...one, size: nearest ?? size, quality: isOffered ? quality : undefined };
	});
	const words = replaced.size > 0 ? texts.notOffered(service.title, [...replaced]) : undefined;
	return { offered, words };
}

/** Returns the quality that is sent with so many reference images, if any is. */
export function sentQuality(quality: Quality | undefined, references: number): Quality | undefined {
	return takesQuality(readService(), references) ? quality : undefined;
}

/**
 * Returns whether images can be asked for here. Asks about what prevents it: that the workspace is
 * not trusted, or that address or key is missing.
 *
 * @throws {SettingError} where the address is none
 */
export async function ensureReady(keys: ApiKeys): Promise<boolean> {
	if (!(await mayGenerateHere())) {
		return false;
	}
	const address = readServiceAddress();
	if (address === undefined) {
		return runCommand('easel.setUp', true);
	}
	if (readService().keyIsOptional !== true) {
		const found = await keys.get(address);
		if (found === undefined) {
			return runCommand('easel.setApiKey');
		}
		if (found.source === 'elsewhere' && !(await mayMoveKey(found.address, address, keys))) {
			return false;
		}
	}
	stepDone('setUp');
	return true;
}

const { sendKey, setAnotherKey } = texts;

/** Asks before the environment's key goes to another address; returns whether one may go there. */
export async function mayMoveKey(from: string, to: string, keys: ApiKeys): Promise<boolean> {
	const answer = await choose(
		texts.moveKey(to),
		[texts.moveKeyDetail(from)],
		sendKey,
		setAnotherKey,
	);
	const setKey = () => runCommand('easel.setApiKey');
	if (answer === sendKey) {
		await keys.moveEnvironmentKey(to);
		return true;
	}
	if (answer === setAnotherKey) {
		return setKey();
	}
	runDetached(notify('error', elsewhereWords(from, to), [{ label: setAnotherKey, run: setKey }]));
	return false;
}

export const elsewhereWords = texts.keyElsewhere;

/**
 * Reads VS Code's `http.*` settings, as the user has set them. Values of a workspace are left out:
 * a repository must not be able to redirect the key to a proxy of its own.
 * A value that is none counts as not set.
 */
export function readNetworkOptions(): NetworkOptions {
	const configuration = vscode.workspace.getConfiguration('http', null);
	const options: Record<string, unknown> = {};
	for (const [key, schema] of Object.entries(networkOptionsSchema.shape)) {
		const found = configuration.inspect(key);
		// The default is VS Code's own, and null where it means that there is none.
		const value = [found?.globalValue, found?.defaultValue].find(
			(candidate) => candidate !== undefined && schema.safeParse(candidate).success,
		);
		options[key] = value ?? defaultNetworkOptions[key as keyof NetworkOptions];
	}
	return networkOptionsSchema.parse(options);
}

const { generateHere, manageTrust } = texts;

/** True where the user wants images in this window although its workspace is not trusted. */
let isAllowed = false;

/**
 * Asks before the first image of a window in Restricted Mode. Nothing of such a workspace steers
 * Easel, but its texts and images may have been put there to be sent.
 *
 * @returns whether images may be made here; in a trusted workspace always
 */
export async function mayGenerateHere(): Promise<boolean> {
	if (isAllowed || vscode.workspace.isTrusted) {
		return true;
	}
	const answer = await choose(texts.untrusted, [texts.untrustedDetail], generateHere, manageTrust);
	if (answer === manageTrust) {
		await vscode.commands.executeCommand('workbench.trust.manage');
	}
	isAllowed = answer === generateHere;
	return isAllowed;
}
