import * as vscode from 'vscode';
import { WordedError } from './errorTexts.js';
import { rawSetting } from './rawSetting.js';
import { settings, type SettingKey, type SettingValue } from './settingTable.js';
import { texts } from './texts.js';

/** A setting has a value that it cannot have. The message names the setting and the reason. */
export class SettingError extends WordedError {
	override readonly name = 'SettingError';

	constructor(
		override readonly setting: string,
		reason: string,
	) {
		super(texts.badSetting(setting, reason));
	}
}

/**
 * Reads a setting. Those of scope `application` are taken from the user's own settings alone:
 * a workspace must not be able to redirect the service, whatever form its settings take. In a
 * workspace that is not trusted this holds for every setting.
 *
 * @throws {SettingError} where the value is not allowed
 */
export function readSetting<Key extends SettingKey>(
	key: Key,
	resource?: vscode.Uri,
): SettingValue<Key> {
	const { scope, schema, words, default: fallback } = settings[key];
	const parsed = schema.safeParse(rawSetting(key, fallback, scope === 'application', resource));
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		// Some kinds say themselves what is wrong.
		const reason = issue?.code === 'custom' ? issue.message : texts.mustBe(words);
		throw new SettingError(`easel.${key}`, reason);
	}
	return parsed.data as SettingValue<Key>;
}

/** Reads a setting like {@link readSetting}, but `undefined` where it would be the default. */
export function readSettingIfSet<Key extends SettingKey>(
	key: Key,
	resource?: vscode.Uri,
): SettingValue<Key> | undefined {
	const found = vscode.workspace.getConfiguration('easel', resource ?? null).inspect(key);
	const ofWorkspace = [found?.workspaceValue, found?.workspaceFolderValue];
	const counts = settings[key].scope !== 'application' && vscode.workspace.isTrusted;
	const values = [found?.globalValue, ...(counts ? ofWorkspace : [])];
	return values.some((value) => value !== undefined) ? readSetting(key, resource) : undefined;
}

/**
 * Reads a setting of VS Code's own that is an object, for example `files.exclude`; what is none
 * counts as empty. In a workspace that is not trusted the user's own and the default count alone:
 * VS Code itself lets a workspace set it there.
 *
 * @param name in full
 */
export function readEditorSetting(
	name: string,
	resource?: vscode.Uri,
): Readonly<Record<string, unknown>> {
	const configuration = vscode.workspace.getConfiguration(undefined, resource ?? null);
	if (vscode.workspace.isTrusted) {
		return asObject(configuration.get(name));
	}
	const found = configuration.inspect(name);
	// As VS Code does it: one scope adds to the other.
	return { ...asObject(found?.defaultValue), ...asObject(found?.globalValue) };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Runs what reads settings; `undefined` where the value of one, given to `onMistake`, is wrong. */
export function settingOr<T>(
	read: () => T,
	onMistake?: (error: SettingError) => void,
): T | undefined {
	try {
		return read();
	} catch (error) {
		if (!(error instanceof SettingError)) {
			throw error;
		}
		onMistake?.(error);
		return undefined;
	}
}

export async function writeUserSetting<Key extends SettingKey>(
	key: Key,
	value: SettingValue<Key>,
): Promise<void> {
	await vscode.workspace
		.getConfiguration('easel')
		.update(key, value, vscode.ConfigurationTarget.Global);
}
