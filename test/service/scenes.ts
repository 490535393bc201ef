import type { SKRSContext2D } from '@napi-rs/canvas';
import { mix, randomFrom, wordsOf, type Palette } from './palette.js';

/** A part of the canvas in pixels. */
export interface Area {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

interface Stage {
	readonly context: SKRSContext2D;
	readonly palette: Palette;
	readonly random: () => number;
	readonly width: number;
	readonly height: number;
	/** The shorter side: what sizes of things are measured by. */
	readonly unit: number;
}

const scenes: readonly { words: readonly string[]; draw: (stage: Stage) => void }[] = [
	{ words: ['city', 'skyline', 'street', 'tower', 'town', 'building'], draw: drawCity },
	{ words: ['beach', 'boat', 'coast', 'lake', 'ocean', 'sea', 'ship', 'water'], draw: drawSea },
	{ words: ['forest', 'pine', 'tree', 'trees', 'wood', 'woods', 'jungle'], draw: drawForest },
];

/** Draws the scene that a prompt's words ask for into `area`: hills where they ask for none. */
export function drawScene(
	context: SKRSContext2D,
	area: Area,
	prompt: string,
	palette: Palette,
): void {
	const words = wordsOf(prompt);
	const draw = scenes.find((scene) => scene.words.some((word) => words.includes(word)))?.draw;
	const { width, height } = area;
	context.save();
	context.beginPath();
	context.rect(area.x, area.y, width, height);
	context.clip();
	context.translate(area.x, area.y);
	const stage: Stage = {
		context,
		palette,
		random: randomFrom(prompt),
		width,
		height,
		unit: Math.min(width, height),
	};
	(draw ?? drawHills)(stage);
	context.restore();
}

function drawHills(stage: Stage): void {
	drawSky(stage, 1);
	const layers = 5;
	for (let layer = 0; layer < layers; layer++) {
		const depth = layer / (layers - 1);
		drawRidge(stage, 0.52 + 0.12 * layer, 0.17 - 0.02 * layer, depth);
	}
}

function drawForest(stage: Stage): void {
	const { context, palette, random, width, height, unit } = stage;
	drawSky(stage, 1);
	drawRidge(stage, 0.5, 0.14, 0);
	for (let layer = 1; layer <= 3; layer++) {
		const color = mix(palette.far, palette.near, layer / 3);
		const ground = height * (0.56 + 0.14 * layer);
		const size = unit * (0.1 + 0.07 * layer);
		context.fillStyle = color;
		for (let x = -size; x < width + size; x += size * (0.22 + 0.3 * random())) {
			drawPine(stage, x, ground + size * 0.1 * random(), size * (0.7 + 0.6 * random()));
		}
		context.fillRect(0, ground - 1, width, height);
	}
}

function drawPine({ context }: Stage, x: number, ground: number, size: number): void {
	context.beginPath();
	for (const [top, half, bottom] of [
		[1, 0.14, 0.58],
		[0.78, 0.2, 0.3],
		[0.52, 0.26, 0],
	] as const) {
		context.moveTo(x, ground - size * top);
		context.lineTo(x + size * half, ground - size * bottom);
		context.lineTo(x - size * half, ground - size * bottom);
		context.closePath();
	}
	context.fill();
}

function drawSea(stage: Stage): void {
	const { context, palette, random, width, height, unit } = stage;
	const { x: sunX } = drawSky(stage, 0.9);
	const horizon = height * 0.6;
	drawRidge(stage, 0.57, 0.08, 0.15);
	const water = context.createLinearGradient(0, horizon, 0, height);
	water.addColorStop(0, mix(palette.sky[2], palette.far, 0.45));
	water.addColorStop(1, palette.near);
	context.fillStyle = water;
	context.fillRect(0, horizon, width, height - horizon);

	// The light's path on the water: short strokes that widen toward the viewer.
	context.fillStyle = palette.light;
	for (let row = 0; row < 26; row++) {
		const share = (row + 0.5) / 26;
		const half = unit * (0.02 + 0.13 * share) * (0.4 + 0.9 * random());
		const y = horizon + (height - horizon) * share ** 1.3;
		context.globalAlpha = 0.55 * (1 - share) + 0.05;
		pill(context, sunX - half + unit * 0.05 * (random() - 0.5), y, half * 2, unit * 0.006);
	}
	context.globalAlpha = 1;
	drawBoat(stage, width * (sunX < width / 2 ? 0.72 : 0.27), horizon + unit * 0.06);
}

function drawBoat({ context, palette, unit }: Stage, x: number, y: number): void {
	const size = unit * 0.085;
	context.fillStyle = palette.near;
	context.beginPath();
	context.moveTo(x - size * 0.6, y - size * 0.2);
	context.lineTo(x + size * 0.6, y - size * 0.2);
	context.lineTo(x + size * 0.38, y);
	context.lineTo(x - size * 0.42, y);
	context.fill();
	context.fillStyle = palette.light;
	context.beginPath();
	context.moveTo(x, y - size * 0.28);
	context.lineTo(x, y - size * 1.4);
	context.quadraticCurveTo(x + size * 0.55, y - size * 0.7, x + size * 0.5, y - size * 0.28);
	context.fill();
	context.beginPath();
	context.moveTo(x - size * 0.07, y - size * 0.28);
	context.lineTo(x - size * 0.07, y - size * 1.15);
	context.lineTo(x - size * 0.42, y - size * 0.28);
	context.fill();
}

function drawCity(stage: Stage): void {
	const { context, palette, random, width, height, unit } = stage;
	drawSky(stage, 1);
	const layers = 3;
	for (let layer = 0; layer < layers; layer++) {
		const color = mix(palette.far, palette.near, layer / (layers - 1));
		let x = -unit * 0.05 * random();
		while (x < width) {
			const wide = unit * (0.06 + 0.07 * random());
			const high = height * (0.5 - 0.11 * layer) * (0.55 + 0.55 * random());
			const top = height * 0.97 - high;
			context.fillStyle = color;
			context.fillRect(x, top, wide + 1, height);
			if (layer > 0) {
				drawWindows(stage, { x, y: top, width: wide, height: height - top }, layer);
			}
			x += wide + (layer === layers - 1 ? unit * 0.02 * random() : 0);
		}
	}
}

function drawWindows({ context, palette, random, unit }: Stage, at: Area, layer: number): void {
	const size = unit * 0.009;
	const columns = Math.max(2, Math.floor(at.width / (size * 2.6)));
	const gap = at.width / columns;
	context.fillStyle = palette.light;
	for (let y = at.y + gap; y < at.y + at.height; y += size * 3.4) {
		for (let column = 0; column < columns; column++) {
			const lit = random();
			context.globalAlpha = lit > 0.55 ? 0.25 + 0.3 * layer * (lit - 0.55) * 2 : 0.07;
			const x = at.x + gap * (column + 0.5) - size / 2;
			context.fillRect(x, y, size, size * 1.6);
		}
	}
	context.globalAlpha = 1;
}

function drawSky(stage: Stage, height: number): { x: number; y: number } {
	const { context, palette, random, width, unit } = stage;
	const sky = context.createLinearGradient(0, 0, 0, stage.height * 0.75 * height);
	for (const [index, color] of palette.sky.entries()) {
		sky.addColorStop(index / 2, color);
	}
	context.fillStyle = sky;
	context.fillRect(0, 0, width, stage.height);
	if (palette.dark) {
		drawStars(stage);
	}
	const light = {
		x: width * (0.22 + 0.56 * random()),
		y: stage.height * (0.24 + 0.14 * random()),
	};
	const radius = unit * (0.075 + 0.03 * random());
	const glow = context.createRadialGradient(
		light.x,
		light.y,
		radius * 0.6,
		light.x,
		light.y,
		unit * 0.55,
	);
	glow.addColorStop(0, `${palette.light}90`);
	glow.addColorStop(0.35, `${palette.light}30`);
	glow.addColorStop(1, `${palette.light}00`);
	context.fillStyle = glow;
	context.fillRect(0, 0, width, stage.height);
	context.fillStyle = palette.light;
	context.beginPath();
	context.arc(light.x, light.y, radius, 0, Math.PI * 2);
	context.fill();
	if (!palette.dark) {
		drawClouds(stage);
	}
	return light;
}

function drawStars({ context, palette, random, width, height, unit }: Stage): void {
	context.fillStyle = palette.light;
	for (let star = 0; star < 140; star++) {
		context.globalAlpha = 0.25 + 0.7 * random() ** 2;
		context.beginPath();
		const y = height * 0.6 * random() ** 1.3;
		context.arc(width * random(), y, unit * (0.0008 + 0.002 * random()), 0, Math.PI * 2);
		context.fill();
	}
	context.globalAlpha = 1;
}

function drawClouds({ context, palette, random, width, height, unit }: Stage): void {
	context.fillStyle = palette.light;
	context.globalAlpha = 0.22;
	for (let cloud = 0; cloud < 4; cloud++) {
		const [x, y] = [width * random(), height * (0.1 + 0.28 * random())];
		const wide = unit * (0.16 + 0.2 * random());
		for (let band = 0; band < 3; band++) {
			const shift = wide * (0.5 * random() - 0.25);
			pill(
				context,
				x + shift,
				y + band * unit * 0.016,
				wide * (0.6 + 0.5 * random()),
				unit * 0.016,
			);
		}
	}
	context.globalAlpha = 1;
}

/**
 * One layer of hills. `base` and `swing` are shares of the height; `depth` runs from 0, far away,
 * to 1, near.
 */
function drawRidge(stage: Stage, base: number, swing: number, depth: number): void {
	const { context, palette, random, width, height } = stage;
	const waves = [0.7, 1.7, 3.9, 8.3].map((pace, index) => ({
		pace: pace * (0.8 + 0.5 * random()),
		phase: random() * Math.PI * 2,
		swing: (swing * height) / 1.9 ** (index + 1),
	}));
	const step = Math.max(2, width / 400);
	context.beginPath();
	context.moveTo(-step, height + 1);
	for (let x = -step; x <= width + step; x += step) {
		let y = base * height;
		for (const wave of waves) {
			y += Math.sin((x / width) * wave.pace * Math.PI * 2 + wave.phase) * wave.swing;
		}
		context.lineTo(x, y);
	}
	context.lineTo(width + step, height + 1);
	context.closePath();
	const color = mix(palette.far, palette.near, depth);
	const haze = context.createLinearGradient(0, height * (base - swing), 0, height);
	haze.addColorStop(0, color);
	haze.addColorStop(1, mix(color, palette.sky[2], 0.3 * (1 - depth)));
	context.fillStyle = haze;
	context.fill();
}

function pill(context: SKRSContext2D, x: number, y: number, width: number, height: number): void {
	context.beginPath();
	context.roundRect(x, y, width, height, height / 2);
	context.fill();
}
