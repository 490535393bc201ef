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
	const { start, end } = renamed;
	const head = /<img\b([^<>]*)\ssrc\s{0,9}=\s{0,9}(["'])$/i.exec(
		text.slice(Math.max(0, start - maxTag), start),
	);
	const rest = /^(["'])([^<>]*)>/.exec(text.slice(end, end + maxTag));
	if (
		head === null ||
		rest === null ||
		rest[1] !== head[2] ||
		/srcset/i.test(`${head[1]!}${rest[2]!}`)
	) {
		return renamed;
	}
	const [larger] = renamedReferences(text, [renamed], languageId, { from, to: twice });
	const quote = head[2]!;
	const name = languageId === 'mdx' ? 'srcSet' : 'srcset';
	// A comma or a blank would end the address.
	const address = larger!.newText.replaceAll(',', '%2C').replaceAll(' ', '%20');
	return { ...renamed, newText: `${renamed.newText}${quote} ${name}=${quote}${address} 2x` };
}

/** In UTF-16 code units. */
const maxTag = 2000;
