import { beginningOf } from '../images/shorten.js';
import { parseRecipe, recipeJson, type Recipe } from './recipe.js';

/** The keyword of the chunk with a packet of XMP (XMP, part 3, 1.1.5). */
export const xmpKeyword = 'XML:com.adobe.xmp';

/** IPTC's term for an image that a trained model has made. */
const digitalSourceType = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
const toolkit = 'x:xmptk="Easel';

/**
 * A packet of XMP that says that a model has made the image, and no more: what was asked for stands
 * elsewhere, so another program that rewrites the packet takes no prompt along.
 *
 * @param software as `Easel 1.0.0`
 * @param createdAt ISO 8601
 */
export function xmpPacket(software: string, createdAt: string): string {
	return packetWith(software, createdAt, []);
}

function packetWith(software: string, createdAt: string, recipe: readonly string[]): string {
	return [
		`<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>`,
		`<x:xmpmeta xmlns:x="adobe:ns:meta/" ${toolkit}">`,
		` <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">`,
		`  <rdf:Description rdf:about=""`,
		`    xmlns:xmp="http://ns.adobe.com/xap/1.0/"`,
		`    xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">`,
		`   <xmp:CreatorTool>${escaped(software)}</xmp:CreatorTool>`,
		`   <xmp:CreateDate>${escaped(createdAt)}</xmp:CreateDate>`,
		`   <Iptc4xmpExt:DigitalSourceType>${digitalSourceType}</Iptc4xmpExt:DigitalSourceType>`,
		...recipe,
		`  </rdf:Description>`,
		` </rdf:RDF>`,
		`</x:xmpmeta>`,
		`<?xpacket end="r"?>`,
	].join('\n');
}

const recipeStart = '<easel:Recipe xmlns:easel="urn:easel:recipe">';
const recipeEnd = '</easel:Recipe>';

/** A packet of XMP with a whole recipe, for formats that have no other place for it. */
export function recipePacket(recipe: Recipe): string {
	// These two are the only characters that JSON leaves as they are and XML has not.
	const json = recipeJson(recipe).replace(/[\ufffe\uffff]/g, '\ufffd');
	return packetWith(`Easel ${recipe.easel}`, recipe.createdAt, [
		`   ${recipeStart}${escaped(json)}${recipeEnd}`,
	]);
}

/** Returns the recipe that {@link recipePacket} has written, also where others have added to it. */
export function recipeInXmp(packet: string): Recipe | 'newer' | undefined {
	const place = recipePlace(packet);
	return place && parseRecipe(unescaped(packet.slice(place.from, place.to), Infinity));
}

/** Returns a packet of the same length, in bytes, with blanks in the recipe's place. */
export function withoutRecipeInXmp(packet: string): string {
	const place = recipePlace(packet);
	if (place === undefined) {
		return packet;
	}
	const { start, end } = place;
	const blanks = ' '.repeat(Buffer.byteLength(packet.slice(start, end)));
	return packet.slice(0, start) + blanks + packet.slice(end);
}

function recipePlace(packet: string) {
	const start = packet.indexOf('<easel:Recipe');
	const from = start === -1 ? 0 : packet.indexOf('>', start) + 1;
	const to = from === 0 ? -1 : packet.indexOf(recipeEnd, from);
	return to === -1 ? undefined : { start, from, to, end: to + recipeEnd.length };
}

/** Returns whether Easel alone has written the packet. */
export function isOurPacket(packet: string): boolean {
	return packet.slice(0, 300).includes(toolkit);
}

/** Properties of a packet about the making of its image, by name. */
export type XmpFacts = Partial<Record<(typeof properties)[number], string>>;

const properties = [
	'xmp:CreatorTool',
	'photoshop:Credit',
	'dc:description',
	'Iptc4xmpExt:DigitalSourceType',
	'Iptc4xmpExt:AIPromptInformation',
	'Iptc4xmpExt:AISystemUsed',
] as const;

/**
 * Reads some properties of a packet, as attributes or elements, with the usual prefixes. It is no
 * parser of XML: what is written otherwise is not found, and what is no XML does no harm.
 */
export function readXmp(packet: string): XmpFacts {
	const found: XmpFacts = {};
	for (const name of properties) {
		const value = attribute(packet, name) ?? element(packet, name);
		if (value !== undefined && value !== '') {
			found[name] = value;
		}
	}
	return found;
}

/** In UTF-16 code units, markup included. */
const maxValueLength = 20_000;

function attribute(packet: string, name: string): string | undefined {
	for (const quote of ['"', "'"]) {
		const start = `${name}=${quote}`;
		const at = packet.indexOf(start);
		if (at !== -1) {
			const value = packet.slice(at + start.length, at + start.length + maxValueLength);
			const end = value.indexOf(quote);
			return end === -1 ? undefined : unescaped(value.slice(0, end));
		}
	}
	return undefined;
}

function element(packet: string, name: string): string | undefined {
	const at = packet.indexOf(`<${name}`);
	const behind = packet[at + name.length + 1] ?? '';
	if (at === -1 || !/[\s>]/.test(behind)) {
		return undefined;
	}
	const value = packet.slice(at, at + maxValueLength);
	const end = value.indexOf(`</${name}>`);
	// A list of alternatives has further elements around its words.
	return end === -1 ? undefined : unescaped(withoutTags(value.slice(0, end))).trim();
}

function withoutTags(xml: string): string {
	return xml
		.split('<')
		.map((part) => part.slice(part.indexOf('>') + 1))
		.join('');
}

function escaped(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function unescaped(text: string, maxLength = maxValueLength): string {
	return beginningOf(text, maxLength)
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&quot;', '"')
		.replaceAll('&apos;', "'")
		.replaceAll('&#xA;', '\n')
		.replaceAll('&amp;', '&');
}
