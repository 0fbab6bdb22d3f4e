// What every script of a client from npm begins and ends with.
import fs from "node:fs";

export const orders = JSON.parse(fs.readFileSync(0, "utf8"));

export function check(holds, ...told) {
    if (!holds) throw new Error(`It does not hold: ${JSON.stringify(told)}`);
}

export async function fails(kind, work) {
    try {
        await work();
    } catch (error) {
        const name = error.name === "Error" ? error.constructor.name : error.name;
        check(!kind || name === kind, name, String(error));
        return error;
    }
    throw new Error(`${kind} should have been thrown`);
}

export async function poll(read) {
    for (let round = 0; round < 200; round += 1) {
        const found = await read();
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error("it never came");
}

export function report(told) {
    console.log(JSON.stringify(told));
    process.exit(0);
}
