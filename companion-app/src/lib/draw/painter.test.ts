import { expect, test } from "vitest";
import { HubTime } from "$lib/hall/hub-time.js";
import { board } from "$lib/testing.js";
import { Painter, type Drawable, type Stage } from "./painter.js";
import { drawAt } from "./plan.js";

class TestStage implements Stage {
  isHidden = false;
  nowMs = 0;
  wakes: { atMs: number; paint: () => void } | null = null;
  #shown: () => void = () => undefined;
  hidden(): boolean {
    return this.isHidden;
  }
  onShown(redraw: () => void): void {
    this.#shown = redraw;
  }
  later(ms: number, paint: () => void): () => void {
    const wake = { atMs: this.nowMs + ms, paint };
    this.wakes = wake;
    return () => {
      if (this.wakes === wake) this.wakes = null;
    };
  }
  show(): void {
    this.isHidden = false;
    this.#shown();
  }
  pass(toMs: number): void {
    while (this.wakes && this.wakes.atMs <= toMs) {
      const { atMs, paint } = this.wakes;
      this.wakes = null;
      this.nowMs = atMs;
      paint();
    }
    this.nowMs = toMs;
  }
}

function set(): { stage: TestStage; painter: Painter } {
  const stage = new TestStage();
  const time = new HubTime(() => stage.nowMs);
  time.sample(0);
  return { stage, painter: new Painter(time, stage) };
}

class Every implements Drawable {
  drawn: number[] = [];
  constructor(readonly stepUs: number) {}
  draw(hubUs: number): number {
    this.drawn.push(hubUs);
    return hubUs + this.stepUs;
  }
}

test("each drawable is drawn when its next digit is due, and not before", () => {
  const { stage, painter } = set();
  const [tenths, seconds] = [new Every(100_000), new Every(1_000_000)];
  painter.show(tenths);
  painter.show(seconds);
  stage.pass(2050);
  expect(seconds.drawn.length).toBe(3);
  expect(tenths.drawn.length).toBe(21);
});

test("hidden drawables are skipped, and a hidden page sleeps", () => {
  const { stage, painter } = set();
  const one = new Every(100_000);
  painter.show(one);
  painter.hide(one);
  stage.pass(500);
  expect(one.drawn).toEqual([0]);
  painter.show(one);
  stage.isHidden = true;
  stage.pass(5000);
  const before = one.drawn.length;
  stage.show();
  expect(one.drawn.length).toBe(before + 1);
});

test("a plan is drawn by its segments: the delay, then the time", () => {
  const plan = [
    { fromUs: 0, whiteUs: 60e6, blackUs: 60e6, whiteRate: 0, blackRate: 0, whiteAllotment: "main", blackAllotment: "main" },
    { fromUs: 2e6, whiteUs: 60e6, blackUs: 60e6, whiteRate: -1, blackRate: 0, whiteAllotment: "main", blackAllotment: "main" },
  ];
  const one = board({ plan, running: "white" });
  expect(drawAt(one, 500_000)).toMatchObject({ white: { us: 60e6, rate: 0 }, waitUs: 1_500_000, untilUs: 2e6 });
  expect(drawAt(one, 5e6)).toMatchObject({ white: { us: 57e6, rate: -1 }, waitUs: 0, untilUs: Infinity });
  expect(drawAt(one, 90e6).white.us).toBe(0);
});

test("a board without a plan does not move", () => {
  expect(drawAt(board(), 77e6).white).toEqual({ us: 300e6, rate: 0, allotment: "main" });
});
