/** The texts of this room that a user reads: titles and buttons first, then sentences and their parts. */
import { count, formatNumber, list, oneOf } from '../images/wording.js';

export const texts = {
	generateHere: 'Generate Here',
	proposeAlt: 'Propose Alt Text…',
	markDecorative: 'Mark as Decorative',
	correctCase: 'Correct Case',
	manageTrust: 'Manage Workspace Trust',
	openSettings: 'Open Settings',
	openTerminal: 'Open Terminal',
	reloadWindow: 'Reload Window',
	sendKey: 'Send Key',
	setAnotherKey: 'Set Another Key',
	lookingFor: (what: string) => `Looking for ${what}…`,
	found: (what: string, found: string) => `Looking for ${what}: ${found}`,
	progress: (done: number, all: number, elapsed: string) =>
		`${formatNumber(done)} of ${formatNumber(all)} · ${elapsed}`,
	minutes: (from: number, to: number) =>
		from === to
			? `about ${count(to, 'minute')}`
			: `${formatNumber(from)} to ${count(to, 'minute')}`,
	seconds: (seconds: number) => `about ${count(seconds, 'second')}`,
	usually: (time: string) => `usually ${time}`,
	unknownError: 'unknown error',
	unexpected: (words: string) => `Something went wrong: ${words}`,
	// Why a file cannot be written: they follow a colon
	diskFull: 'the disk is full.',
	readOnly: 'the file system is read-only.',
	folderNotWritable: 'the folder is not writable.',
	fileWithName: 'a file already has the name of the folder.',
	noFolder: 'the folder does not exist and cannot be created.',
	// Files and folders
	theImage: 'The image',
	cannotSaveAs: (what: string, path: string, why: string) =>
		`${what} cannot be saved as ${path}: ${why}`,
	notRelative: (path: string) =>
		`“${path}” is outside the workspace folder. Enter a path inside it.`,
	outside: (path: string) =>
		`${path} is outside the workspace folder. Choose a location inside it.`,
	unreadable: (path: string, code: string) =>
		`${path} cannot be read (${code}). Check its permissions, or choose another folder.`,
	notAFolder: (name: string) => `A file named ${name} already exists where a folder is needed.`,
	brokenLink: (name: string) => `${name} is a broken symbolic link. Fix or remove it.`,
	circularLink: (name: string) => `${name} is a symbolic link to itself. Remove it.`,
	notWritable: (name: string) =>
		`${name} is not writable. Change its permissions, or choose another folder.`,
	managedFolder: (path: string) =>
		`${path} is a folder managed by other programs. Choose another one for images.`,
	badName: (name: string) => `${name} is not a valid file name here. Choose another one.`,
	tooLong: (name: string) => `${name} is longer than the system allows. Choose a shorter name.`,
	// What happened to a file: they follow its name
	fileMissing: 'It is missing.',
	fileChanged: 'It has changed since.',
	fileChangedNow: 'Another program changed it at the same time.',
	fileRenamed: (name: string) => `The file is now named “${name}”.`,
	fileTaken: 'Another file has its name.',
	nameTaken: (name: string) => `Another file is named “${name}”.`,
	noBackup: 'Easel has no backup of it.',
	damagedBackup: 'Its backup is damaged.',
	// What the service does not offer
	notOffered: (service: string, replaced: readonly string[]) =>
		`${service} offers other choices: ${list(replaced)}.`,
	sizeReplaced: (size: string, nearest: string) => `${nearest} in place of ${size}`,
	qualityReplaced: (quality: string) => `its own quality in place of ${quality}`,
	// The key
	enterKey: 'Enter the API key of your image service.',
	keyWithSpaces: 'An API key has no spaces or line breaks. Copy it again.',
	keyIsAddress: 'This is an address, not an API key. Copy the key that your service gave you.',
	invalidKey: 'The key contains an invalid character. Copy it again.',
	moveKey: (to: string) => `Send the key in EASEL_API_KEY to ${to}?`,
	moveKeyDetail: (from: string) =>
		`Until now, only ${from} got this key. Anyone who has the key can spend your money. Send it only to the service that issued it; ${from} will no longer get it.`,
	keyElsewhere: (from: string, to: string) =>
		`Nothing was sent to ${to}: the key in EASEL_API_KEY belongs to ${from}.`,
	// Settings
	badSetting: (setting: string, reason: string) =>
		`The setting ${setting} has an invalid value: ${reason}`,
	mustBe: (kind: string) => `it must be ${kind}.`,
	text: 'text',
	size: 'auto, or width and height in pixels such as 1024x1024',
	filledText: 'text that is not empty',
	trueOrFalse: 'true or false',
	wholeNumber: (from: number, to: number) =>
		`a whole number from ${formatNumber(from)} to ${formatNumber(to)}`,
	oneOf: (values: readonly string[]) => oneOf(values),
	// Of a list of prices
	presets: 'an object of names and exports, such as {"Hero": "webp 1600 300kB"}',
	badPreset: (name: string) => `“${name}” must be an export in words, such as webp 1600 300kB`,
	price: 'empty, or an object such as { "currency": "EUR", "image": 0.04 }',
	noCurrency: 'it needs a “currency”, for example "EUR".',
	unknownCurrency: (code: string) => `“${code}” is not the code of a currency, such as "EUR".`,
	noPrice: 'it needs a price, for example "image": 0.04.',
	notAPrice: (name: string) => `the price of “${name}” must be a number from 0 on.`,
	unknownPrice: (name: string) =>
		`“${name}” is not known. Prices are those of "image", a size, a quality, or both: "1024x1024 high".`,
	// Restricted Mode
	untrusted: 'Generate images in a workspace that you do not trust?',
	untrustedDetail:
		'Only your own settings apply in Restricted Mode. Prompts and reference images are sent to your image service, and you may be charged. Images and links are saved in this workspace. Check the prompts and images that come from it.',
};
