// Talks to an agent through OpenAI's own npm package, unmodified; prints what it called.
import fs from "node:fs";
import OpenAI from "openai";
import { check, orders, poll, report } from "./orders.mjs";

const connect = (apiKey) => new OpenAI({ apiKey, baseURL: `${orders.host}/v1`, maxRetries: 0 });
const client = connect(orders.token), stranger = connect(orders.stranger);
const say = (text) => [{ role: "user", content: text }];
const ask = (who, text, user) => who.chat.completions.create({ model: "juno", messages: say(text), user });

const models = [];
for await (const model of client.models.list()) models.push(model.id);
check(models.join() === "juno", models);
await ask(client, "My name is Ana and I live in Lisbon. Please remember that.", "ana");
await poll(async () => {
    const answer = await ask(client, "In which city do I live?", "ana");
    return answer.choices[0].message.content.includes("Lisbon");
});
for (const [who, user] of [[client, "ben"], [stranger, "ana"]]) {
    const answer = await ask(who, "In which city do I live?", user);
    check(!answer.choices[0].message.content.includes("Lisbon"), answer);
}
let streamed = "";
const stream = await client.chat.completions.create({
    model: "juno", messages: say("In which city do I live?"), user: "ana", stream: true,
});
for await (const chunk of stream) streamed += chunk.choices[0]?.delta?.content ?? "";
check(streamed.includes("Lisbon"), streamed);
const embedded = await client.embeddings.create({ model: "any", input: ["likes tea", "likes jazz"] });
check(embedded.data.length === 2 && embedded.data[0].embedding.length === 384, embedded.data.length);
const refusal = await connect("map_wrong").models.retrieve("juno").catch((error) => error);
check(refusal instanceof OpenAI.AuthenticationError, String(refusal));
const missing = await client.models.retrieve("nobody").catch((error) => error);
check(missing instanceof OpenAI.NotFoundError, String(missing));

const { version } = JSON.parse(fs.readFileSync(new URL("./node_modules/openai/package.json", import.meta.url)));
const methods = ["chat.completions.create", "embeddings.create", "models.list", "models.retrieve"];
report({ client: `openai ${version} (npm)`, calls: 9, methods });
