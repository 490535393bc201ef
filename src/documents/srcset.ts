import { imgTagOf } from './html.js';
import { renamedReferences } from './renamedReferences.js';
import type { Span } from './span.js';

/**
 * Returns a new path of an `<img>` with a `srcset` behind it that names a file of twice the
 * dimensions; the path alone where it is none, or has a `srcset`.
 *
 * @param renamed span of the old path, with the new one
 * @param names `from`, as the old file is called, and `twice`, as the larger one is
 */
export function withTwice<Renamed extends Span & { readonly newText: string }>(
	text: string,
	renamed: Renamed,
	languageId: string,
	{ from, twice }: { readonly from: string; readonly twice: string },
): Renamed {
	const tag = imgTagOf(text, renamed);
	if (tag === undefined || /srcset/i.test(text.slice(tag.start, tag.end))) {
		return renamed;
	}
	const [larger] = renamedReferences(text, [renamed], languageId, { from, to: twice });
	const quote = text[renamed.start - 1]!;
	const name = languageId === 'mdx' ? 'srcSet' : 'srcset';
	// A comma or a blank would end the address.
	const address = larger!.newText.replaceAll(',', '%2C').replaceAll(' ', '%20');
	return { ...renamed, newText: `${renamed.newText}${quote} ${name}=${quote}${address} 2x` };
}
