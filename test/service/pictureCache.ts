import { drawPicture, type PictureOrder } from './picture.js';

interface Entry {
	readonly picture: Promise<Buffer>;
	/** In bytes; 0 while the picture is being drawn. */
	size: number;
}

/**
 * Pictures that were drawn already, for the orders that come again. All of them together take at
 * most `capacity` bytes; the one that was asked for longest ago goes first.
 */
export class PictureCache {
	private readonly entries = new Map<string, Entry>();
	private size = 0;

	/** @param capacity in bytes */
	constructor(private readonly capacity: number) {}

	/**
	 * The picture of an order, drawn once for all that ask meanwhile; not to be written to. Orders
	 * with references are drawn anew: they seldom come twice, and megabytes would be compared.
	 */
	get(order: PictureOrder): Promise<Buffer> {
		if (order.references.length > 0) {
			return drawPicture(order);
		}
		const { prompt, size, quality, dimensions, small } = order;
		const { width, height } = dimensions ?? {};
		const key = JSON.stringify([prompt, size, quality, width, height, small === true]);
		const entry = this.entries.get(key) ?? this.draw(key, order);
		// The map's order is that of the last use.
		this.entries.delete(key);
		this.entries.set(key, entry);
		return entry.picture;
	}

	private draw(key: string, order: PictureOrder): Entry {
		const entry: Entry = { picture: drawPicture(order), size: 0 };
		entry.picture.then(
			({ length }) => {
				entry.size = length;
				this.size += length;
				this.makeRoom();
			},
			() => this.entries.delete(key),
		);
		return entry;
	}

	private makeRoom(): void {
		for (const [key, { size }] of this.entries) {
			if (this.size <= this.capacity) {
				return;
			}
			if (size > 0) {
				this.entries.delete(key);
				this.size -= size;
			}
		}
	}
}
