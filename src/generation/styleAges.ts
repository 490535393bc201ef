import { posix } from 'node:path';
import * as vscode from 'vscode';
import { EaselError } from '../easelError.js';
import { safeText } from '../editor/untrustedText.js';
import type { GalleryImage } from '../jobs/gallery.js';
import { phrases } from './messages.js';
import { olderStyle } from './searchMatcher.js';
import type { ReadStyle } from './styleFile.js';
import type { Styles } from './styles.js';

/** How the style of an image relates to the guide of its workspace folder now; `without` where none was applied. */
type StyleAge = 'now' | 'older' | 'without';

type Styled = Pick<GalleryImage, 'style' | 'target' | 'workspaceFolder'>;

/** The style guides of the workspace folders as they were when they were read, beside the images. */
export class StyleAges {
	private constructor(
		/** Those that can be used, by the URI of the workspace folder. */
		private readonly guides: ReadonlyMap<string, ReadStyle>,
		/** Why another one cannot be used. */
		readonly problem: unknown,
	) {}

	static async read(styles: Pick<Styles, 'look'>): Promise<StyleAges> {
		const guides = new Map<string, ReadStyle>();
		let problem: unknown;
		for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
			const style = await styles.look(uri).catch((error: unknown) => {
				problem = error;
			});
			if (style instanceof EaselError) {
				problem = style;
			} else if (style) {
				guides.set(uri.toString(), style);
			}
		}
		return new StyleAges(guides, problem);
	}

	get all(): readonly ReadStyle[] {
		return [...this.guides.values()];
	}

	/** `undefined` where no guide can be used in its workspace folder. */
	of(image: Styled): StyleAge | undefined {
		const guide = this.guideOf(image);
		return (
			guide &&
			(image.style === undefined
				? 'without'
				: image.style.sha256 === guide.sha256
					? 'now'
					: 'older')
		);
	}

	/** The style of an image, in a few words; `undefined` where it has none, and there is none now. */
	words(image: Styled): string | undefined {
		const name = image.style && safeText(posix.basename(image.style.path), 40);
		const age = this.of(image);
		if (name === undefined) {
			return age === 'without' ? phrases.withoutStyle : undefined;
		}
		return age === 'older' ? `${name}, ${olderStyle}` : name;
	}

	/** The guide of the folder that an image lies in, else of the one that it was made in. */
	guideOf({ target, workspaceFolder }: Styled): ReadStyle | undefined {
		const around = [...this.guides.keys()].filter((folder) => target.startsWith(`${folder}/`));
		// Of folders within one another the inner one counts.
		const [inner] = around.sort((a, b) => b.length - a.length);
		return this.guides.get(inner ?? workspaceFolder ?? '');
	}
}
