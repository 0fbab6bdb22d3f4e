// Calls the helpers of mem0's provider for the Vercel AI SDK, unmodified; prints what it called.
import fs from "node:fs";
import { addMemories, getMemories, retrieveMemories, searchMemories } from "@mem0/vercel-ai-provider";
import { check, fails, orders, report } from "./orders.mjs";

const mine = { host: orders.host, mem0ApiKey: orders.token, user_id: "ana" };
const theirs = { ...mine, mem0ApiKey: orders.stranger };
const said = (text) => [{ role: "user", content: [{ type: "text", text }] }];

await addMemories(said("I drink oat milk in my coffee"), { ...mine, infer: false });
await addMemories(said("I drink soy milk"), { ...theirs, infer: false });
const picture = [{ role: "user", content: [{ type: "text", text: "I like jazz" }, { type: "file", mediaType: "image/png", data: "aGk=" }] }];
await addMemories(picture, { ...mine, infer: false });

for (const prompt of ["what milk?", said("what milk?")]) {
    const memories = await getMemories(prompt, mine);
    const list = Array.isArray(memories) ? memories : memories.results;
    check(list[0].memory === "I drink oat milk in my coffee", memories);
    check(!JSON.stringify(memories).includes("soy"), memories);
}
const found = await searchMemories("what milk?", mine);
check(JSON.stringify(found).includes("oat milk"), found);
const prompt = await retrieveMemories("what milk?", mine);
check(prompt.includes("oat milk") && !prompt.includes("soy"), prompt);
await addMemories(said("My name is Ana and I live in Lisbon."), mine);
const failure = await searchMemories("x", { ...mine, mem0ApiKey: "map_wrong" }).catch((error) => error);
check(failure instanceof Error || JSON.stringify(failure) === "[]" || failure === undefined, failure);

const manifest = "./node_modules/@mem0/vercel-ai-provider/package.json";
const { version } = JSON.parse(fs.readFileSync(new URL(manifest, import.meta.url)));
const methods = ["addMemories", "getMemories", "retrieveMemories", "searchMemories"];
report({ client: `@mem0/vercel-ai-provider ${version}`, calls: 9, methods });
