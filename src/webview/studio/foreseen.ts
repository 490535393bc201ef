import type { Image, Reference, Round, StudioRequest } from '../../protocol/studio.js';
import type { Known } from './known.js';
import { moved } from './reorder.js';

/** Returns what is known as it will be when the extension has done what it is asked for. */
export function foreseen(known: Known, request: StudioRequest): Known {
	if (request.type === 'markImage') {
		const { id, kept, title, note } = request;
		const images = changed(known.images, id, (image): Image => {
			const { title: oldTitle, note: oldNote, ...rest } = image;
			return {
				...rest,
				kept: kept ?? image.kept,
				...named('title', title ?? oldTitle),
				...named('note', note ?? oldNote),
			};
		});
		return { ...known, images };
	}
	if (request.type === 'markRound') {
		const { id, name, collapsed } = request;
		const rounds = changed(known.rounds, id, (round): Round => {
			const { name: oldName, ...rest } = round;
			return {
				...rest,
				collapsed: collapsed ?? round.collapsed,
				...named('name', name ?? oldName),
			};
		});
		return { ...known, rounds };
	}
	return known;
}

/** The same for the reference images. */
export function foreseenReferences(
	references: readonly Reference[],
	request: StudioRequest,
): readonly Reference[] {
	if (request.type !== 'moveReference') {
		return references;
	}
	const from = references.findIndex(({ id }) => id === request.id);
	return from < 0 ? references : moved(references, from, request.to);
}

/** Returns what was known before a request that has failed. */
export function takenBack(known: Known, before: Known, request: StudioRequest): Known {
	if (request.type !== 'markImage' && request.type !== 'markRound') {
		return known;
	}
	const restored = <Thing>(now: ReadonlyMap<string, Thing>, was: Thing | undefined) =>
		was === undefined ? now : changed(now, request.id, () => was);
	return {
		images: restored(known.images, before.images.get(request.id)),
		rounds: restored(known.rounds, before.rounds.get(request.id)),
	};
}

function changed<Thing>(
	known: ReadonlyMap<string, Thing>,
	id: string,
	change: (thing: Thing) => Thing,
): ReadonlyMap<string, Thing> {
	const thing = known.get(id);
	return thing === undefined ? known : new Map(known).set(id, change(thing));
}

/** An empty text takes a name away. */
function named<Key extends string>(
	key: Key,
	text: string | undefined,
): Partial<Record<Key, string>> {
	return text === undefined || text === '' ? {} : ({ [key]: text } as Record<Key, string>);
}
