/*
 * The errors that a user reads. Each has a code, and what its text has to name; the texts are in one
 * table, `editor/errorTexts.ts`, whose type comes from here.
 */

type FileErrors = { readonly code: 'file.newerFormat' };

/** A part of the rule for sizes that dimensions break, with its limit: see `SizeRule` of the service. */
export interface BrokenSizeRule {
	readonly rule: 'multipleOf' | 'minEdge' | 'maxEdge' | 'maxRatio' | 'minPixels' | 'maxPixels';
	readonly limit: number;
}

/** Why a connection could not be made or broke. */
type ConnectionReason =
	| ('dns' | 'refused' | 'unreachable' | 'connectTimeout' | 'reset' | 'other')
	| ('certificateOfAnotherHost' | 'certificateNotValidToday' | 'certificateNotTrusted')
	| ('notTls' | 'notHttp');

type ServiceErrors =
	| {
			readonly code:
				| `address.${'empty' | 'invalid' | 'credentials' | 'unencrypted' | 'query'}`
				| `key.${'missing' | 'invalid'}`
				| 'proxy.badAuthorization'
				| 'request.emptyPrompt'
				| `answer.${'empty' | 'html' | 'notJson' | 'tooMuch' | 'truncated' | 'link'}`
				| `answer.${'brokenBase64' | 'notAnImage' | 'missingImage' | 'cutWords'}`
				| `storage.${'full' | 'fileTooLarge'}`
				| 'ledger.unreadable';
	  }
	/** `reason`: why the service ended it, in its own word. */
	| { readonly code: 'answer.noWords'; readonly reason?: string | undefined }
	| { readonly code: 'address.protocol'; readonly protocol: string }
	| { readonly code: 'address.path'; readonly path: string }
	/** `source`: the setting, or the variable of the environment, that holds the address. */
	| { readonly code: 'proxy.invalid'; readonly source: string }
	| { readonly code: 'proxy.badProtocol'; readonly source: string; readonly protocol: string }
	/** `service`: its title. The lists are separated by commas. */
	| { readonly code: 'request.noModel'; readonly service: string }
	| {
			readonly code: 'request.unknownSize';
			readonly service: string;
			readonly size: string;
			readonly sizes: string;
			readonly broken?: BrokenSizeRule;
			readonly nearest?: string;
	  }
	| {
			readonly code: 'request.unknownQuality';
			readonly service: string;
			readonly quality: string;
			readonly qualities: string;
	  }
	| {
			readonly code: 'request.tooManyReferences';
			readonly service: string;
			readonly count: number;
			readonly max: number;
	  }
	| { readonly code: `reference.${'unreadable' | 'changed'}`; readonly fileName: string }
	/** `proxy`: host and port of the one in between, if any. */
	| {
			readonly code: `connection.${ConnectionReason}`;
			readonly host: string;
			readonly systemCode: string;
			readonly proxy?: string | undefined;
	  }
	| {
			readonly code:
				| `proxy.${ConnectionReason}`
				| `proxy.refused.${'credentials' | 'signIn' | 'forbidden' | 'unreachable' | 'notAProxy'}`;
			readonly host: string;
			readonly systemCode: string;
			/** Its host and port. */
			readonly proxy: string;
			/** Scheme of its address, as in `http:`. */
			readonly scheme: string;
			/** The setting, or the variable of the environment, that holds its address. */
			readonly source: string;
			/** The same of its credentials. */
			readonly credentialsSource?: string | undefined;
			/** The ways to sign in that it offers, separated by commas. */
			readonly signIns?: string | undefined;
	  }
	| {
			readonly code: 'connection.lost' | 'answer.notHttp' | 'answer.malformed';
			readonly host: string;
			readonly systemCode: string;
	  }
	/** `host` of the link. */
	| { readonly code: 'answer.linkLost'; readonly host: string }
	| { readonly code: 'timeout'; readonly seconds: number }
	| { readonly code: 'answer.tooLarge'; readonly megabytes: number }
	| { readonly code: 'status.redirect'; readonly words: string; readonly target: string }
	| { readonly code: `storage.${'notWritable' | 'failed'}`; readonly systemCode: string };

/** Why a program does not run the worker. */
export type StartErrors =
	| { readonly code: `start.${'timeout' | 'noAnswer' | 'requested' | 'unchecked' | 'slotTaken'}` }
	| { readonly code: 'start.exited'; readonly exitCode: string }
	| { readonly code: 'start.killed'; readonly signal: string }
	| { readonly code: 'start.oldNode'; readonly version: string }
	| { readonly code: 'start.requestedBefore'; readonly state: string };

type JobErrors =
	| StartErrors
	| { readonly code: 'storage.journal'; readonly systemCode: string }
	| { readonly code: 'reference.unfit'; readonly image: ErrorFacts }
	| { readonly code: 'window.left' | 'window.notOwner' }
	| { readonly code: 'job.cancelledWhileReceiving' | 'job.lateAnswer' | 'job.lateImage' }
	| { readonly code: 'job.savedFileMissing' | 'job.processEnded' }
	| { readonly code: `worker.${'notStarted' | 'failed'}`; readonly reason: ErrorFacts }
	| { readonly code: 'worker.notAllowed'; readonly minNode: string; readonly tries: Refusals }
	| { readonly code: 'socket.noFolder'; readonly tries: Refusals }
	| { readonly code: 'socket.notPrivate' }
	| { readonly code: 'socket.longPath'; readonly bytes: number; readonly maxBytes: number };

/** Programs or folders that were tried, with the reason against each. */
type Refusals = readonly { readonly place: string; readonly reason: ErrorFacts }[];

type ImageErrors =
	| {
			readonly code:
				| `image.${'missing' | 'folder' | 'empty' | 'notAnImage' | 'damaged' | 'tooLarge' | 'unreadable'}`
				| `image.${'lfsPointer' | 'annexPointer' | 'applePng' | 'webPage' | 'svg' | 'heic' | 'avif'}`
				| `image.${'jxl' | 'gif' | 'tiff' | 'icon' | 'photoshop' | 'pdf'}`
				| `thumbnail.${'tooLarge' | 'undecodable' | 'cmyk' | 'tooSlow' | 'crashed' | 'unwritable'}`;
			readonly name: string;
	  }
	/** `reached`: the fewest bytes that were possible. */
	| {
			readonly code: 'export.tooHeavy';
			readonly name: string;
			readonly reached: number;
			readonly maxBytes: number;
	  }
	| { readonly code: 'fileName.tooLong'; readonly length: number; readonly maxLength: number }
	| {
			readonly code: 'fileName.unknownVariable';
			readonly unknown: readonly string[];
			readonly known: readonly string[];
	  }
	| { readonly code: 'fileName.folder'; readonly folder: string };

type RecipeErrors =
	| { readonly code: `png.${'notPng' | 'damaged' | 'tooMuch'}`; readonly file?: string | undefined }
	/** `line` from 1, where it is one. */
	| ({ readonly line?: number | undefined } & (
			| {
					readonly code:
						| `style.${'notClosed' | 'notText' | 'strayDash' | 'unknownField' | 'listInOneLine'}`
						| `style.${'emptyPath' | 'address' | 'openQuote'}`;
			  }
			| { readonly code: 'style.tooLarge'; readonly kilobytes: number }
			| { readonly code: 'style.tooLong'; readonly length: number; readonly maxLength: number }
			| { readonly code: 'style.repeated'; readonly field: string }
			| { readonly code: 'style.tooManyReferences'; readonly maxCount: number }
			| { readonly code: 'style.unknownSize' }
			| { readonly code: `style.${'notWritable' | 'badName'}`; readonly path: string }
	  ));

type DocumentErrors =
	| { readonly code: 'reading.tooSlow'; readonly seconds: number }
	| { readonly code: `search.${'slowFile' | 'slowIgnore'}`; readonly name: string }
	| { readonly code: 'search.slowPattern'; readonly setting: string; readonly glob: string };

/** Shown as they are: the service's own, the system's, or of a room above. */
interface Words {
	readonly code: 'words';
	readonly words: string;
}

/** An error as data: its code, and what its text has to name. */
export type ErrorFacts =
	(FileErrors | ServiceErrors | JobErrors) | (ImageErrors | RecipeErrors | DocumentErrors) | Words;

export type ErrorCode = ErrorFacts['code'];

/** The facts of those errors that have one of these codes. */
export type FactsOf<Code extends ErrorCode, Facts = ErrorFacts> = Facts extends {
	readonly code: infer C;
}
	? Code extends C
		? Facts
		: never
	: never;

/**
 * An error that a user reads; one that callers tell from others has a class of its own. Anything else
 * is a bug or a system error and is shown with a link to the log.
 */
export class EaselError extends Error {
	/** The full name of the setting that has to be corrected, where it is one. */
	readonly setting: string | undefined = undefined;

	/** Not a `code` of the error itself: as such every caller takes one of the system. */
	constructor(
		readonly facts: ErrorFacts,
		options?: ErrorOptions,
	) {
		super(logText(facts), options);
	}
}

/** Returns an error in short, for the log. */
export function logText(facts: ErrorFacts): string {
	if (facts.code === 'words') {
		return facts.words;
	}
	const { code, ...params } = facts;
	const named = JSON.stringify(params);
	return named === '{}' ? code : `${code} ${named}`;
}

/** Returns the facts of an error that is shown in these words. */
export function inWords(words: string): Words {
	return { code: 'words', words };
}

/** Returns what was thrown as data; an error of others has only words. */
export function factsOfError(error: unknown): ErrorFacts {
	return error instanceof EaselError
		? error.facts
		: inWords(error instanceof Error ? error.message : String(error));
}
