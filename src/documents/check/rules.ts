/** Rules of the check, in the order in which they are shown. */
export const ruleIds = [
	'alt-missing',
	'alt-generic',
	'alt-long',
	'alt-duplicate',
	'image-missing',
	'image-case',
	'image-weight',
	'image-dimensions',
	'image-format',
	'recipe',
	'style',
	'words',
] as const;

export type RuleId = (typeof ruleIds)[number];

/** Rules about the file of an image: what they find counts once, however many documents show it. */
export const fileRules: readonly RuleId[] = [
	...(['image-weight', 'image-dimensions', 'image-format'] as const),
	...(['recipe', 'style', 'words'] as const),
];

export const severities = ['off', 'hint', 'warning', 'error'] as const;

export type Severity = (typeof severities)[number];

/** Content of `.easel/check.json`; see `docs/check.md`. */
export interface CheckSettings {
	readonly rules: Readonly<Record<RuleId, Severity>>;
	/** In UTF-16 code units. */
	readonly maxAltLength: number;
	/** In kB of 1000 bytes. */
	readonly maxKilobytes: number;
	/** In pixels. */
	readonly maxWidth: number;
	/** Extensions in small letters; by default all. */
	readonly formats: readonly string[] | undefined;
	/** Globs of documents and folders that are left out. */
	readonly exclude: readonly string[];
	/** As `easel.documents.publicFolder`. */
	readonly publicFolder: string | undefined;
}

export const defaultSettings: CheckSettings = {
	rules: {
		'alt-missing': 'error',
		'alt-generic': 'warning',
		'alt-long': 'warning',
		'alt-duplicate': 'warning',
		'image-missing': 'error',
		'image-case': 'error',
		'image-weight': 'warning',
		'image-dimensions': 'off',
		'image-format': 'off',
		recipe: 'off',
		style: 'off',
		words: 'off',
	},
	maxAltLength: 250,
	maxKilobytes: 500,
	maxWidth: 2560,
	formats: undefined,
	exclude: [],
	publicFolder: undefined,
};
