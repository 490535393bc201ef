// Only types of vscode: the manifest test reads this table in plain Node.
import type * as vscode from 'vscode';

/** Argument of `easel.generateImage`, so that it can be driven without questions. */
export interface GenerateArgument {
	prompt?: string;
	size?: string;
	quality?: string;
	/** `transparent`; left out where the service makes no such images. */
	background?: string;
	/** Reference images, as URIs or as paths relative to the workspace folder. */
	references?: readonly (vscode.Uri | string)[];
	/** Place of the image: a `.png` file, or a folder if it ends with a slash. */
	output?: vscode.Uri | string;
	/**
	 * True where the image link goes to the cursor; without it, where the user is asked for the
	 * prompt.
	 */
	insert?: boolean;
	/** Number of images, each a request of its own: 1 to 4. */
	count?: number;
	/** `false` leaves out the style guide of the workspace. */
	style?: boolean;
}

/** Every command with its signature. The manifest test holds `package.json` against it. */
export interface CommandSignatures {
	'easel.generateImage': (argument?: GenerateArgument) => Promise<vscode.Uri[] | undefined>;
	/** Menus pass the image that was clicked and all that are selected. */
	'easel.editWithPrompt': (
		target?: vscode.Uri | string | GenerateArgument,
		selected?: readonly vscode.Uri[],
	) => Promise<vscode.Uri[] | undefined>;
	/** The explorer passes one image and all that are selected; other callers the two images. */
	'easel.compareImages': (
		left?: vscode.Uri | string,
		right?: vscode.Uri | string | readonly vscode.Uri[],
	) => Promise<void>;
	/** Chooses among the drafts that were asked for with this image, else of the newest ones. */
	'easel.chooseDraft': (target?: vscode.Uri | string) => Promise<void>;
	/** Opens an editor for a prompt: for the selected text, or the one that was begun last. */
	'easel.writePrompt': () => Promise<void>;
	/**
	 * Has a language model write a prompt for the selected text, or the section around the cursor, into
	 * an editor of its own. Nothing is generated.
	 */
	'easel.draftPrompt': () => Promise<void>;
	/** Improves the prompt in the editor in front. */
	'easel.improvePrompt': () => Promise<void>;
	/** Returns the name of the model; undefined where none was chosen. */
	'easel.selectLanguageModel': () => Promise<string | undefined>;
	/** Proposes an alt text for the image link at the cursor, or of an image of the document in front. */
	'easel.proposeAltText': (image?: vscode.Uri) => Promise<void>;
	/** Checks the words of such an image; differences are shown as problems. */
	'easel.checkWords': (image?: vscode.Uri) => Promise<void>;
	/**
	 * Generates from the prompt in the editor in front, with the choices above it; elsewhere it
	 * asks for one.
	 */
	'easel.generateFromEditor': () => Promise<vscode.Uri[] | undefined>;
	/** Changes the choices of the prompt in the editor in front. */
	'easel.choosePromptOptions': () => Promise<void>;
	/** Menus pass the image that was clicked. It always asks for the prompt. */
	'easel.regenerateImage': (target?: vscode.Uri | string) => Promise<void>;
	/** Menus pass the edit with marks; without it the one in front is meant. */
	'easel.keepRest': (target?: vscode.Uri | string) => Promise<void>;
	/** Menus pass the new image; without it the one in front is meant. */
	'easel.replaceImage': (target?: vscode.Uri | string) => Promise<void>;
	/** Menus pass the image that was clicked; without it the one in front is meant. */
	'easel.showProvenance': (target?: vscode.Uri | string) => Promise<void>;
	/** Menus pass the image that was clicked; without it the one in front is meant. */
	'easel.exportImage': (target?: vscode.Uri | string) => Promise<void>;
	/** Menus pass images or folders; without them the image in front is meant. */
	'easel.stripRecipe': (target?: vscode.Uri, selected?: readonly vscode.Uri[]) => Promise<void>;
	'easel.insertImage': () => Promise<void>;
	/** Menus pass folders or documents; the quick fix a document and the path of the missing file. */
	'easel.generateMissingImages': (
		target?: vscode.Uri,
		selected?: readonly vscode.Uri[] | string,
	) => Promise<void>;
	/** Menus pass folders or documents; without them the whole workspace is checked. */
	'easel.checkImages': (target?: vscode.Uri, selected?: readonly vscode.Uri[]) => Promise<void>;
	'easel.openStudio': () => Promise<void>;
	/** Lists them, to cancel one or open the studio. */
	'easel.showImagesInProgress': () => Promise<void>;
	/** Shows requests and costs of, today, this week and this month. */
	'easel.showSpending': () => Promise<void>;
	/** Prices of the image service: each is written into the user's settings as it is entered. */
	'easel.setPrices': () => Promise<void>;
	/** The explorer passes the folder that was clicked; without one the user is asked. */
	'easel.showContactSheet': (folder?: vscode.Uri | string) => Promise<void>;
	/** Opens the studio with the images that can be made again with the style of now. */
	'easel.showOlderStyle': () => Promise<void>;
	'easel.createStyleGuide': () => Promise<void>;
	/** Menus pass the image that was clicked. */
	'easel.useAsStyle': (target?: vscode.Uri | string) => Promise<void>;
	'easel.getStarted': () => Promise<void>;
	/** Opens the guide, at a page by its name in `docs/`. */
	'easel.openGuide': (page?: unknown) => Promise<void>;
	/** Resolves to whether it is set up. A caller that goes on with it passes `true`. */
	'easel.setUp': (goesOn?: unknown) => Promise<boolean>;
	/** Resolves to whether a key was set. */
	'easel.setApiKey': () => Promise<boolean>;
	/** Says what there is at the address of the service, without a purchase. */
	'easel.testConnection': () => Promise<void>;
	/** Removes what Easel has stored on this machine, after a question. */
	'easel.removeAllData': () => Promise<void>;
	/** Copies what sets up the MCP server in another program, for the program that is chosen. */
	'easel.copyMcpConfiguration': () => Promise<void>;
	'easel.showLog': () => void;
}

export type CommandId = keyof CommandSignatures;

/** Titles as the palette and menus show them; those that ask before anything is done end in an ellipsis. */
export const contributedTitles = {
	'easel.generateImage': 'Generate Image…',
	'easel.draftPrompt': 'Draft Prompt from Document…',
	'easel.improvePrompt': 'Improve Prompt…',
	'easel.proposeAltText': 'Propose Alt Text…',
	'easel.checkWords': 'Check Words in Picture…',
	'easel.generateFromEditor': 'Generate Image',
	'easel.choosePromptOptions': 'Choose Size, Quality and References…',
	'easel.editWithPrompt': 'Edit with Prompt…',
	'easel.regenerateImage': 'Regenerate…',
	'easel.keepRest': 'Keep the Rest',
	'easel.showProvenance': 'How Was This Image Made?',
	'easel.exportImage': 'Export…',
	'easel.stripRecipe': 'Remove Prompt from File…',
	'easel.generateMissingImages': 'Generate Missing Images…',
	'easel.checkImages': 'Check Images…',
	'easel.insertImage': 'Insert Generated Image…',
	'easel.compareImages': 'Compare Images…',
	'easel.chooseDraft': 'Choose Draft…',
	'easel.openStudio': 'Open Image Studio',
	'easel.showImagesInProgress': 'Show Images in Progress…',
	'easel.showSpending': 'Show Spending…',
	'easel.showContactSheet': 'Show Contact Sheet…',
	'easel.showOlderStyle': 'Update Images to Current Style…',
	'easel.createStyleGuide': 'Create Style Guide…',
	'easel.getStarted': 'Get Started',
	'easel.setUp': 'Set Up Image Service…',
	'easel.testConnection': 'Test Connection',
	'easel.removeAllData': 'Remove All Easel Data…',
	'easel.copyMcpConfiguration': 'Copy MCP Configuration…',
	'easel.showLog': 'Show Log',
} satisfies Partial<Record<CommandId, string>>;

/** Commands of buttons, links and key bindings, which stand in no palette and no menu. */
const otherTitles = {
	'easel.writePrompt': 'Write Prompt in Editor',
	'easel.selectLanguageModel': 'Select Language Model…',
	'easel.replaceImage': 'Use New',
	'easel.setPrices': 'Set Prices…',
	'easel.useAsStyle': 'Add to Style Guide…',
	'easel.openGuide': 'Open Guide',
	'easel.setApiKey': 'Set API Key…',
} satisfies Partial<Record<CommandId, string>>;

export const commandTitles: Readonly<Record<CommandId, string>> = {
	...contributedTitles,
	...otherTitles,
};
