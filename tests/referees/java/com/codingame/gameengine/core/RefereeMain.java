package com.codingame.gameengine.core;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Scanner;

/**
 * A referee of our own that speaks the protocol of CodinGame's engine, with static state on purpose.
 *
 * Every turn each player names a number; the sums are the scores. What a player is told holds an id that goes on
 * counting from game to game in one class loader, the league and a system property that the game itself changes.
 * Parameters: turns, lines (of an answer), mode (fail, failend, exit, hang, thread, early, filler, print), monitoring.
 */
public class RefereeMain {
    private static int nextId = 0;

    private final Scanner in;
    private final PrintStream out;
    private final Properties parameters = new Properties();
    private int frame = 0;
    private boolean monitored = false;
    private List<String> before = new ArrayList<>(); // the summary of the turn before
    private List<String> summary = new ArrayList<>();

    private RefereeMain(InputStream in, PrintStream out) {
        this.in = new Scanner(in);
        this.out = out;
    }

    public static void main(String[] arguments) {
        InputStream in = System.in;
        PrintStream out = System.out;
        System.setOut(new PrintStream(new OutputStream() {
            @Override
            public void write(int b) {
            }
        }));
        System.setIn(new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("a referee does not read");
            }
        });
        RefereeMain referee = new RefereeMain(in, out);
        try {
            referee.play();
        } catch (RuntimeException error) {
            StringWriter trace = new StringWriter();
            error.printStackTrace(new PrintWriter(trace));
            referee.say("FAIL", trace.toString().split("\n"));
            throw error;
        } finally {
            referee.in.close();
        }
    }

    private void play() {
        in.nextLine();
        int players = Integer.parseInt(in.nextLine());
        readParameters();
        String usual = System.getProperty("league.level", "").equals("3") ? "4" : "3"; // leagues have rules of their own
        int turns = Integer.parseInt(parameters.getProperty("turns", usual));
        int wanted = Integer.parseInt(parameters.getProperty("lines", "1"));
        String mode = parameters.getProperty("mode", "");
        int[] scores = new int[players];
        boolean[] isOut = new boolean[players];
        int left = players;
        if (mode.equals("exit")) {
            System.exit(3);
        }
        if (mode.equals("hang")) {
            sleep(600_000);
        }
        if (mode.equals("thread")) {
            new Thread(() -> sleep(600_000)).start();
        }
        System.out.println("[[SCORES] 0] printed by the game");
        for (int turn = 0; turn < turns && left > 0 && !mode.equals("early"); turn++) {
            if (mode.equals("fail") && turn == 1) {
                throw new IllegalStateException("boom in turn " + turn);
            }
            before = summary;
            summary = new ArrayList<>();
            if (mode.equals("filler")) {
                execute(0, 0, 1000, turn == 0, "map " + turn);
            }
            for (int player = 0; player < players; player++) {
                if (isOut[player]) {
                    continue;
                }
                String told = "turn " + turn + " id " + nextId++ + " league " + System.getProperty("league.level", "-")
                    + " before " + System.getProperty("podium.test", "-") + " é\u2028";
                List<String> answer = execute(player, wanted, turn == 0 ? 1000 : 50, player == 0, told);
                try {
                    if (answer == null) {
                        throw new IllegalArgumentException("did not answer");
                    }
                    for (String line : answer) {
                        scores[player] += Integer.parseInt(line);
                    }
                    summary.add("$" + player + " named " + String.join(" and ", answer));
                } catch (IllegalArgumentException error) {
                    isOut[player] = true;
                    left--;
                    scores[player] = -1;
                    summary.add("$" + player + " is disqualified: " + error.getMessage());
                }
            }
            System.setProperty("podium.test", "changed");
        }
        if (mode.equals("failend")) {
            throw new IllegalStateException("boom at the end");
        }
        view(true);
        say("INFOS");
        say("SUMMARY", summary.toArray(new String[0]));
        List<String> all = new ArrayList<>();
        for (String name : parameters.stringPropertyNames()) {
            all.add(name + "=" + parameters.getProperty(name));
        }
        say("UINPUT", all.toArray(new String[0]));
        say("METADATA", "{}");
        String[] lines = new String[players];
        for (int player = 0; player < players; player++) {
            lines[player] = player + " " + scores[player];
        }
        say("SCORES", lines);
    }

    private void readParameters() {
        // INIT's count is not kept: parameters go on until the first request
        while (true) {
            String line = in.nextLine();
            if (line.startsWith("[[GET_GAME_INFO]")) {
                asked = true;
                break;
            }
            try {
                parameters.load(new StringReader(line));
            } catch (IOException error) {
                throw new IllegalStateException(error);
            }
        }
        if (parameters.getProperty("seed") == null) {
            parameters.setProperty("seed", "12345");
        }
        if (parameters.getProperty("ownseed") != null) {
            parameters.setProperty("seed", parameters.getProperty("ownseed"));
        }
    }

    private boolean asked = false;

    private List<String> execute(int player, int wanted, int limit, boolean first, String... input) {
        if (!asked) {
            String line = in.nextLine();
            if (!line.equals("[[GET_GAME_INFO] 0]")) {
                throw new IllegalStateException("Invalid command: " + line);
            }
        }
        asked = false;
        view(first);
        if (frame == 1 && parameters.getProperty("monitoring") != null) {
            monitored = true;
            say("MONITORING");
        }
        say("INFOS");
        if (first) {
            say("SUMMARY", before.toArray(new String[0]));
        }
        say("NEXT_PLAYER_INPUT", input);
        say("NEXT_PLAYER_INFO", "" + player, "" + wanted, "" + limit);
        String header = in.nextLine();
        if (header.equals("[[SET_PLAYER_TIMEOUT] 0]")) {
            return null;
        }
        if (!header.matches("\\[\\[SET_PLAYER_OUTPUT\\] \\d+\\]")) {
            throw new IllegalStateException("Error in data sent to referee: " + header);
        }
        List<String> lines = new ArrayList<>();
        int count = Integer.parseInt(header.replaceAll("\\D", ""));
        for (int i = 0; i < count; i++) {
            lines.add(in.nextLine());
        }
        if (monitored) {
            Long.parseLong(lines.remove(0));
        }
        if (lines.size() != wanted) {
            throw new IllegalStateException("wanted " + wanted + " lines, not " + lines.size());
        }
        return lines;
    }

    private void view(boolean first) {
        if (first) {
            say("VIEW", "KEY_FRAME " + frame++, "{\"frame\":{}}");
        } else {
            say("VIEW", "INTERMEDIATE_FRAME " + frame++);
        }
    }

    private void say(String name, String... lines) {
        out.println("[[" + name + "] " + lines.length + "]");
        for (String line : lines) {
            out.println(line);
        }
    }

    private static void sleep(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
        }
    }
}
