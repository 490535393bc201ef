import {
	defaultSettings,
	ruleIds,
	severities,
	type CheckSettings,
	type RuleId,
	type Severity,
} from './rules.js';

/** The file of a repository with the settings of its check. */
export const settingsFile = '.easel/check.json';

/** Size of that file, in bytes. */
export const maxSettingsBytes = 256 * 1024;

/**
 * Reads the settings of a check; the default where they say nothing.
 *
 * @param text JSON
 * @param onProblem called with each mistake, in one line
 */
export function parseCheckSettings(
	text: string,
	onProblem: (problem: string) => void,
): CheckSettings {
	let given: unknown;
	try {
		given = JSON.parse(text.replace(/^\ufeff/, ''));
	} catch (error) {
		onProblem(error instanceof Error ? error.message : String(error));
	}
	if (typeof given !== 'object' || given === null || Array.isArray(given)) {
		onProblem('The settings are no JSON object.');
		return defaultSettings;
	}
	const { rules = {}, ...values } = given as Record<string, unknown>;
	const settings: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(values)) {
		if (name === '$schema') {
			continue;
		}
		const type = types[name as keyof typeof types];
		if (!Object.hasOwn(types, name)) {
			onProblem(`There is no setting “${name}”.`);
		} else if (!type.fits(value)) {
			onProblem(`“${name}” is to be ${type.name}.`);
		} else {
			settings[name] = value;
		}
	}
	if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) {
		onProblem('“rules” is to be an object.');
		return { ...defaultSettings, ...settings };
	}
	const chosen: Record<string, Severity> = {};
	for (const [rule, severity] of Object.entries(rules as Record<string, unknown>)) {
		if (!isRule(rule)) {
			onProblem(`There is no rule “${rule}”. Rules: ${ruleIds.join(', ')}.`);
		} else if (!severities.includes(severity as Severity)) {
			onProblem(`“${rule}” is to be one of ${severities.join(', ')}.`);
		} else {
			chosen[rule] = severity as Severity;
		}
	}
	// A limit without its rule is meant to count.
	const implied: Partial<Record<RuleId, Severity>> = {
		...(settings['maxWidth'] !== undefined && { 'image-dimensions': 'warning' }),
		...(settings['formats'] !== undefined && { 'image-format': 'warning' }),
	};
	return {
		...defaultSettings,
		...settings,
		rules: { ...defaultSettings.rules, ...implied, ...chosen },
	};
}

/** Returns whether a name is one of the rules. */
export function isRule(name: string): name is RuleId {
	return (ruleIds as readonly string[]).includes(name);
}

/** Number of globs, and of formats. */
const maxEntries = 500;
const maxTextLength = 1000;

const isText = (value: unknown) => typeof value === 'string' && value.length <= maxTextLength;
const isList = (value: unknown) =>
	Array.isArray(value) && value.length <= maxEntries && value.every(isText);
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) > 0;

const types: Readonly<
	Record<
		Exclude<keyof CheckSettings, 'rules'>,
		{ readonly name: string; readonly fits: (value: unknown) => boolean }
	>
> = {
	maxAltLength: { name: 'a whole number above 0', fits: isCount },
	maxKilobytes: { name: 'a whole number above 0', fits: isCount },
	maxWidth: { name: 'a whole number above 0', fits: isCount },
	formats: { name: 'a list of extensions', fits: isList },
	exclude: { name: 'a list of globs', fits: isList },
	publicFolder: { name: 'the path of a folder', fits: isText },
};
