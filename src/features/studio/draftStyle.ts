import { EaselError } from '../../easelError.js';
import { styleFileOf } from '../../generation/styleFile.js';
import { StyleOption } from '../../generation/styleOption.js';
import { openStyleGuide } from '../../generation/styleQuestions.js';
import type { StudioRequest } from '../../protocol/studio.js';
import { sizeSchema } from '../../service/contract.js';
import { folderHere } from './actions.js';
import type { StudioDeps } from './deps.js';
import type { DraftReferences } from './references.js';

type Asked<Type extends StudioRequest['type']> = Extract<StudioRequest, { readonly type: Type }>;
type References = Pick<DraftReferences, 'list'>;

/**
 * Whether the style that the page shows is the one that would be applied now: nobody sends what is not
 * shown, and a guide may have been changed a moment ago. One that cannot be used is told later.
 */
export async function isStyleAsShown(
	{ style: shown, withoutStyle }: Asked<'generate'>,
	references: References,
	{ styles }: StudioDeps,
): Promise<boolean> {
	const style = await styles.look(await folderOf(references));
	const now = style === undefined || style instanceof EaselError ? undefined : style.sha256;
	return withoutStyle === true || now === shown;
}

/** Shows in a document what would be sent now. */
export async function showSent(
	{ prompt, size, quality, count, withoutStyle }: Asked<'showSent'>,
	references: References,
	{ styles }: StudioDeps,
): Promise<void> {
	const style = await StyleOption.of(await folderOf(references), styles);
	await style.show({
		prompt,
		quality,
		count,
		withoutStyle,
		size: sizeSchema.parse(size),
		references: (await references.list()).map(({ uri }) => uri),
	});
}

/** Opens the style guide of the workspace folder that the draft belongs to. */
export async function openStyle(references: References): Promise<void> {
	const folder = await folderOf(references);
	const guide = folder && (await styleFileOf(folder));
	await (guide && openStyleGuide(guide));
}

async function folderOf(references: References) {
	const [first] = await references.list();
	return folderHere(first?.uri)?.uri;
}
