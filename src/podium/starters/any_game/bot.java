// A bot that plays any legal move.

import java.util.*;

class Player {
    public static void main(String[] arguments) {
        Map<String, List<String>> fields = new HashMap<>(); // of the state, by name; your seat among them
        Random random = new Random();
        Scanner in = new Scanner(System.in);
        while (in.hasNextLine()) {
            List<String> words = List.of(in.nextLine().split(" "));
            if (!words.get(0).equals("legal")) {
                fields.put(words.get(0), words.subList(1, words.size()));
                continue;
            }
            List<String> legal = new ArrayList<>();
            for (int count = Integer.parseInt(words.get(1)); count > 0; count--) legal.add(in.nextLine());
            System.out.println(legal.get(random.nextInt(legal.size())));
        }
    }
}
